//===- Declarations.h - Our declarations beside a vendor's ------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDA_UNITTESTS_DECLARATIONS_H
#define JOBRT_SIMULATORS_CUDA_UNITTESTS_DECLARATIONS_H

#include <type_traits>

namespace jobsim {

/// Whether a class of ours stands for one of the vendor's; a test says so.
template <typename A, typename B> struct SameObject : std::false_type {};

/// Whether C passes both in the same way and, behind a pointer, both read the
/// same.
template <typename A, typename B> constexpr bool isSame() {
  if constexpr (std::is_pointer_v<A> && std::is_pointer_v<B>) {
    using ToA = std::remove_pointer_t<A>;
    using ToB = std::remove_pointer_t<B>;
    if constexpr (std::is_const_v<ToA> != std::is_const_v<ToB>)
      return false;
    else if constexpr (std::is_scalar_v<ToA> && std::is_scalar_v<ToB>)
      return isSame<std::remove_cv_t<ToA>, std::remove_cv_t<ToB>>();
    else
      return std::is_same_v<ToA, ToB> ||
             SameObject<std::remove_cv_t<ToA>, std::remove_cv_t<ToB>>::value;
  } else if constexpr (std::is_void_v<A> || std::is_floating_point_v<A>) {
    return std::is_same_v<A, B>;
  } else if constexpr (std::is_integral_v<A> &&
                       (std::is_integral_v<B> || std::is_enum_v<B>)) {
    return sizeof(A) == sizeof(B);
  } else {
    return SameObject<A, B>::value;
  }
}

template <typename A, typename B> struct SameFunction : std::false_type {};
template <typename RA, typename... As, typename RB, typename... Bs>
struct SameFunction<RA (*)(As...), RB (*)(Bs...)> {
  static constexpr bool compare() {
    if constexpr (sizeof...(As) != sizeof...(Bs))
      return false;
    else
      return isSame<RA, RB>() && (isSame<As, Bs>() && ...);
  }
  static constexpr bool value = compare();
};

} // namespace jobsim

#endif // JOBRT_SIMULATORS_CUDA_UNITTESTS_DECLARATIONS_H
