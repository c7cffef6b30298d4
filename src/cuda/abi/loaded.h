// loaded.h - NVIDIA's libraries of kernels that the program has loaded while it runs (dlopen).
#ifndef HEDDLE_CUDA_ABI_LOADED_H
#define HEDDLE_CUDA_ABI_LOADED_H

// Names those that were loaded since the last call. This calls the loader, which may be running a
// function of the program (a constructor): the caller must hold no lock that such a function can
// wait for.
void hd_loaded_note(void);

#endif
