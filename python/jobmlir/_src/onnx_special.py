"""Functions of values: those that ONNX has no operator for, or whose operator loses
digits or has no kernel of float64 in ONNX Runtime."""

import math

from . import dtype as dtypes
from .onnx_values import where

_LN_2 = math.log(2)


def _is_double(x):
    return x.dtype == dtypes.float64


def _with_sign(magnitude, x):
    return where(x < 0, -magnitude, magnitude)


# ===- Exponential and logarithm ------------------------------------------------===#


def expm1(x):
    t = (x / 2).apply("Tanh")
    # Where |x| < 1/2 the difference below loses digits.
    return where(abs(x) < 0.5, 2 * t / (1 - t), x.apply("Exp") - 1)


def log1p(x):
    u = 1 + x
    rest, log = u - 1, u.apply("Log")
    # Where 1 + x is rounded to 1, the quotient would be 0 / 0.
    is_lost = rest.equals(0)
    small = where(is_lost, x, log / where(is_lost, 1, rest) * x)
    return where(abs(x) < 0.5, small, log)


def _half_exp(a):
    """e^a / 2, which may be finite where e^a is not."""
    h = (a / 2).apply("Exp")
    return h / 2 * h


def cosh(x):
    if not _is_double(x):
        return x.apply("Cosh")
    half = _half_exp(abs(x))
    return half + 0.25 / half


def sinh(x):
    if not _is_double(x):
        return x.apply("Sinh")
    a = abs(x)
    e = expm1(where(a > 20.0, 0, a))
    return _with_sign(where(a > 20.0, _half_exp(a), (e + e / (e + 1)) / 2), x)


def asinh(x):
    if not _is_double(x):
        return x.apply("Asinh")
    a = abs(x)
    is_large = a > 1e8
    y = where(is_large, 1, a)
    small = log1p(y + y * y / (1 + (1 + y * y).apply("Sqrt")))
    return _with_sign(where(is_large, a.apply("Log") + _LN_2, small), x)


def acosh(x):
    if not _is_double(x):
        return x.apply("Acosh")
    is_large = x > 1e8
    t = where(is_large, 1, x) - 1
    # The root of a negative number is NaN, unless its square overflows the 1.
    t = where(x < 1, -1, t)
    small = log1p(t + (t * (t + 2)).apply("Sqrt"))
    return where(is_large, x.apply("Log") + _LN_2, small)


def atanh(x):
    if not _is_double(x):
        return x.apply("Atanh")
    a = abs(x)
    return _with_sign(log1p(2 * a / (1 - a)) / 2, x)


# ===- Trigonometry ---------------------------------------------------------------===#


def tan(x):
    if not _is_double(x):
        return x.apply("Tan")
    return x.apply("Sin") / x.apply("Cos")


def _first_quadrant(y, x):
    """The angle of a point whose coordinates are not negative."""
    is_steep = y > x
    low, high = where(is_steep, x, y), where(is_steep, y, x)
    # Of equal coordinates, also infinite ones, the quotient is 1; at the origin the
    # angle is 0.
    quotient = where(low.equals(high), 1, low / high)
    quotient = where(high.equals(0), 0, quotient)
    angle = quotient.cast(dtypes.float32).apply("Atan").cast(x.dtype)
    if _is_double(x):
        # tan(angle - a) by the addition theorem, which is angle - a up to its cube.
        sine, cosine = angle.apply("Sin"), angle.apply("Cos")
        angle = angle + (quotient * cosine - sine) / (cosine + quotient * sine)
    return where(is_steep, math.pi / 2 - angle, angle)


def _is_negative(x):
    """Whether the sign of x is that of negative numbers, also of -0."""
    return (x < 0) | (x.equals(0) & (x.apply("Reciprocal") < 0))


def atan2(y, x):
    angle = _first_quadrant(abs(y), abs(x))
    angle = where(_is_negative(x), math.pi - angle, angle)
    angle = where(_is_negative(y), -angle, angle)
    # Comparisons have lost a NaN.
    either = where(x.apply("IsNaN"), x, y)
    return where(either.apply("IsNaN"), either, angle)


def atan(x):
    if not _is_double(x):
        return x.apply("Atan")
    return _with_sign(_first_quadrant(abs(x), x.constant(1)), x)


def _other_coordinate(x):
    """The other coordinate of a point of the unit circle."""
    return ((1 - x) * (1 + x)).apply("Sqrt")


def asin(x):
    if not _is_double(x):
        return x.apply("Asin")
    return _with_sign(_first_quadrant(abs(x), _other_coordinate(x)), x)


def acos(x):
    if not _is_double(x):
        return x.apply("Acos")
    angle = _first_quadrant(_other_coordinate(x), abs(x))
    return where(x < 0, math.pi - angle, angle)


# ===- Error function --------------------------------------------------------------===#

# erf(x) / x - 1 in x^2, |x| < 1/2.
_ERF_CENTER = (
    0.1283791670955126,
    -0.37612638903183754,
    0.11283791670955123,
    -0.026866170645130034,
    0.005223977625403192,
    -0.0008548327016159163,
    0.00012055332131175981,
    -1.4925586560096415e-05,
    1.6459034327218912e-06,
    -1.6273138761686977e-07,
    1.3214378238338438e-08,
)
# t e^(t^2) erfc(t) / sqrt(2) in (t - 3) / (t + 3), 1/2 <= t <= 28.
_ERFC_SCALED = (
    0.37971878352167765,
    0.06739167937217422,
    -0.1036498672710504,
    0.09891048376530852,
    -0.06750730784002362,
    0.03277458551096008,
    -0.009913513770682126,
    0.0006440489069554686,
    0.0008788461503030512,
    -0.00029171258344832835,
    -5.982694734091717e-05,
    4.8776634001603186e-05,
    4.570142755201366e-06,
    -7.857930695387446e-06,
    -6.995264196634084e-07,
    1.335870229512187e-06,
    2.040290329125357e-07,
    -2.342922801390743e-07,
    -5.831623118613079e-08,
    4.048182973892897e-08,
    1.0102137693611859e-08,
    -5.605602789468013e-09,
)


def _erf_center(x):
    """erf(x) of float64, |x| < 1/2."""
    return x * (x * x).polynomial(_ERF_CENTER) + x


def _complement(t):
    """erfc(t) of float64, t >= 1/2."""
    # From the bound on it rounds to 0.
    t = where(t > 28.0, 28, t)
    # The square of a float32 is exact, so that the exponential has no error of it.
    high = t.cast(dtypes.float32).cast(dtypes.float64)
    exp = (-(high * high)).apply("Exp") * ((high - t) * (high + t)).apply("Exp")
    scaled = ((t - 3) / (t + 3)).polynomial(_ERFC_SCALED) * math.sqrt(2)
    return scaled / t * exp


def erf(x):
    if not _is_double(x):
        return x.apply("Erf")
    tail = _with_sign(1 - _complement(abs(x)), x)
    return where(abs(x) < 0.5, _erf_center(x), tail)


def erfc(x):
    tail = _complement(abs(x))
    tail = where(x < 0, 2 - tail, tail)
    return where(abs(x) < 0.5, 1 - _erf_center(x), tail)


def _gelu(x, shape):
    """x / 2 times 1 + shape(x). At minus infinity that would be a product with 0."""
    x = x.maximum(-100)
    return 0.5 * x * (1 + shape(x))


def gelu(x):
    return _gelu(x, lambda x: erf(x * math.sqrt(0.5)))


def gelu_tanh(x):
    def shape(x):
        inner = (x + 0.044715 * (x * x * x)) * math.sqrt(2 / math.pi)
        return inner.apply("Tanh")

    return _gelu(x, shape)


# ===- Gamma function ----------------------------------------------------------------===#

# lgamma(x) / (x - 2) in x - 15/8, 5/4 <= x <= 5/2.
_LGAMMA_CENTER = (
    0.3813814831935064,
    0.3403312950724714,
    -0.07582367520153381,
    0.024776589243981968,
    -0.009510748009720673,
    0.003980163690669501,
    -0.0017552919363199738,
    0.0008012114482823171,
    -0.00037458128575394164,
    0.0001782040428812915,
    -8.59034148253707e-05,
    4.183785529792475e-05,
    -2.054773788877529e-05,
    1.015866096087798e-05,
    -5.0376875401729e-06,
    2.5166132446863795e-06,
    -1.3027957720737363e-06,
    6.562507680902369e-07,
    -2.5460797568385664e-07,
    1.2861172063127177e-07,
    -1.4815259092514533e-07,
    7.558472696788447e-08,
)
# x (lgamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) in 1 / x^2, x >= 8.
_LGAMMA_SERIES = (
    0.0833333333333333,
    -0.002777777777606244,
    0.0007936506649488252,
    -0.0005952025951802712,
    0.0008372834512071336,
    -0.0016526004455595122,
)
# x^2 (ln x - 1 / (2 x) - digamma(x)) in 1 / x^2, x >= 10.
_DIGAMMA_SERIES = (
    0.0833333333333333,
    -0.00833333333308159,
    0.003968253673479358,
    -0.004166539940034663,
    0.007550959652543505,
    -0.018818831275584015,
)


def _fraction(x):
    """x minus the nearest integer, exactly."""
    return x - x.apply("Round")


def _positive_lgamma(x):
    # gamma(x) is `factor` gamma(y), or gamma(y) / `factor` below 5/4, with y in
    # [5/4, 5/2]. The distance of y from 2 is exact, so that the zero at 1 is.
    y, factor = x, x.constant(1)
    for _ in range(6):
        is_above = y >= 2.5
        less = y - 1
        factor = where(is_above, factor * less, factor)
        y = where(is_above, less, y)
    is_low, is_tiny = x < 1.25, x < 0.25
    distance = where(is_tiny, x, where(is_low, x - 1, y - 2))
    factor = where(is_tiny, x * (x + 1), where(is_low, x, factor))
    is_large = x >= 8
    log = where(is_large, x, factor).apply("Log")
    small = distance * (distance + 0.125).polynomial(_LGAMMA_CENTER)
    small = small + where(is_low, -log, log)
    inverse = 1 / x
    series = (inverse * inverse).polynomial(_LGAMMA_SERIES)
    # A half is taken from the product.
    rest = inverse * series + (math.log(2 * math.pi) / 2 - 0.5)
    return where(is_large, (x - 0.5) * (log - 1) + rest, small)


def lgamma(x):
    """Of float64, by Stirling's series and the recurrence, and by reflection below 0."""
    z = abs(x)
    positive = _positive_lgamma(z)
    sine = abs((_fraction(z) * math.pi).apply("Sin"))
    is_near_zero = z < 2.0**-60
    log = where(is_near_zero, z, z * sine).apply("Log")
    result = where(x < 0, (math.log(math.pi) - log) - positive, positive)
    result = where(is_near_zero, -log, result)
    is_pole = (x <= 0) & sine.equals(0)
    return where(is_pole | z.equals(math.inf), math.inf, result)


def digamma(x):
    """Of float64: digamma(x) = digamma(1 - x) - pi / tan(pi x), and the recurrence to
    the asymptotic series."""
    is_left = x <= 0
    fraction = _fraction(x)
    slope = math.pi / tan(fraction * math.pi)
    y = where(is_left, 1 - x, x)
    # Pairs of the terms 1 / y to 1 / (y + 9) with the same sum of denominators have one
    # quotient.
    product = y * (y + 9)
    terms = 1 / product
    for i in range(1, 5):
        terms = terms + 1 / (product + i * (9 - i))
    is_small = y < 10
    large = where(is_small, y + 10, y)
    inverse = 1 / large
    square = inverse * inverse
    result = large.apply("Log") - 0.5 * inverse
    result = result - square * square.polynomial(_DIGAMMA_SERIES)
    result = where(is_small, result - terms * (2 * y + 9), result)
    result = where(is_left, result - slope, result)
    return where(is_left & fraction.equals(0), math.nan, result)
