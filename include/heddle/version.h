// version.h - which heddle this is, and which model: numbers of different models are not compared.
#ifndef HEDDLE_VERSION_H
#define HEDDLE_VERSION_H

#define HD_VERSION "0.1.0"
#define HD_MODEL 1 // goes up whenever simulated cycles move (CHANGES.md, "Model")

#endif
