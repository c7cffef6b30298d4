// functional.h - Thrust's, and the bases of functors that its third version has taken out.
#ifndef HEDDLE_LEGACY_THRUST_FUNCTIONAL_H
#define HEDDLE_LEGACY_THRUST_FUNCTIONAL_H

#include_next <thrust/functional.h>

#if defined(CCCL_MAJOR_VERSION) && CCCL_MAJOR_VERSION >= 3
namespace thrust
{
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};

template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};
} // namespace thrust
#endif

#endif
