// device_launch_parameters.h - threadIdx and its kin are there from the start.
