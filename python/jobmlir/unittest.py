"""Test cases of programs that use jobs. Imported on first use."""

from jobmlir._src import names as _names
from jobmlir._src.unit_tests import TestCase as TestCase
from jobmlir._src.unit_tests import env as env
from jobmlir._src.unit_tests import num_nodes_required as num_nodes_required
from jobmlir._src.unit_tests import register_test_cases as register_test_cases
from jobmlir._src.unit_tests import skip_unless_1n1d as skip_unless_1n1d
from jobmlir._src.unit_tests import skip_unless_1n2d as skip_unless_1n2d
from jobmlir._src.unit_tests import skip_unless_1n4d as skip_unless_1n4d
from jobmlir._src.unit_tests import skip_unless_2n1d as skip_unless_2n1d
from jobmlir._src.unit_tests import skip_unless_2n2d as skip_unless_2n2d
from jobmlir._src.unit_tests import skip_unless_2n4d as skip_unless_2n4d

_names.report_unknown(__name__)
