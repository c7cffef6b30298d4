// helper_timer.h - the stop watch of the CUDA samples from 5.0 on, written anew, for C++; milliseconds.
#ifndef HEDDLE_LEGACY_HELPER_TIMER_H
#define HEDDLE_LEGACY_HELPER_TIMER_H

#include <stdlib.h>
#include <time.h>

class StopWatchInterface {
  public:
    void start()
    {
        since = now();
        running = true;
    }
    void stop()
    {
        total += lap();
        laps++;
        running = false;
    }
    void reset()
    {
        total = 0;
        laps = 0;
        since = now();
    }
    float getTime() const
    {
        return static_cast<float>(total + lap());
    }
    float getAverageTime() const
    {
        return laps ? static_cast<float>(total / laps) : 0;
    }

  private:
    double total, since;
    int laps;
    bool running;

    static double now()
    {
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
    }
    double lap() const
    {
        return running ? now() - since : 0;
    }
};

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    // No `new`: the program may be linked without a C++ library.
    *timer = static_cast<StopWatchInterface *>(calloc(1, sizeof **timer));
    return *timer != nullptr;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    free(*timer);
    *timer = nullptr;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    (*timer)->start();
    return true;
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    (*timer)->stop();
    return true;
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    (*timer)->reset();
    return true;
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return (*timer)->getTime();
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return (*timer)->getAverageTime();
}

#endif
