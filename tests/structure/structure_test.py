#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one violation of each house rule in a tree of its own and expects structure.py to find just that one."""
import pathlib
import tempfile
import unittest

import structure

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class Structure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("capture/CMakeLists.txt", "add_library(capture STATIC types/endpoint.cpp link_layers.cpp)\n")
        self.write("capture/types/endpoint.h", SPDX + "#pragma once\n")
        self.write("capture/types/endpoint.cpp", SPDX + '#include "capture/types/endpoint.h"\n')
        self.write("capture/link_layers.cpp", SPDX + "#include <pcap/pcap.h>\n")
        self.write("dissector/CMakeLists.txt", "add_library(dissector STATIC\n    wire/cursor.cpp)\n")
        self.write("dissector/wire/cursor.cpp", SPDX + '#include "capture/types/endpoint.h"\n'
                   '// printf("") in a comment and in a literal is no call\nauto text = "exit(1)";\nauto n = 1\'000;\n')

    def write(self, name: str, text: str):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def append(self, name: str, text: str):
        self.write(name, (self.root / name).read_text(encoding="utf-8") + text)

    def found(self) -> list[tuple[str, str, int]]:
        tree = structure.Tree(self.root)
        return [(name, v.file, v.line) for name, rule in structure.RULES.items() for v in rule(tree)]

    def test_ctest_runs_every_rule(self):
        lists = pathlib.Path(structure.__file__).with_name("CMakeLists.txt").read_text(encoding="utf-8").split()
        self.assertEqual([name for name in structure.RULES if name not in lists and name + ")" not in lists], [])

    def test_a_clean_tree_has_no_violation(self):
        self.assertEqual(self.found(), [])

    def test_capture_must_not_include_the_dissector(self):
        self.append("capture/link_layers.cpp", '#include "dissector/wire/cursor.h"\n')
        self.assertEqual(self.found(), [("includes_follow_the_architecture", "capture/link_layers.cpp", 3)])

    def test_the_dissector_may_include_only_the_types_of_capture(self):
        self.append("dissector/wire/cursor.cpp", '#include "capture/capture_file.h"\n')
        self.assertEqual(self.found(), [("includes_follow_the_architecture", "dissector/wire/cursor.cpp", 6)])

    def test_the_shared_types_include_nothing_but_each_other(self):
        self.append("capture/types/endpoint.cpp", '#include "capture/link_layers.h"\n')
        self.assertEqual(self.found(), [("includes_follow_the_architecture", "capture/types/endpoint.cpp", 3)])

    def test_libpcap_outside_capture_is_found(self):
        self.append("dissector/wire/cursor.cpp", "#include <pcap.h>\n")
        self.assertEqual(self.found(), [("libpcap_and_qt_stay_in_their_folders", "dissector/wire/cursor.cpp", 6)])

    def test_qt_outside_the_window_is_found(self):
        self.append("dissector/wire/cursor.cpp", "#include <QString>\n")
        self.assertEqual(self.found(), [("libpcap_and_qt_stay_in_their_folders", "dissector/wire/cursor.cpp", 6)])

    def test_an_include_without_its_path_from_the_root_is_found(self):
        self.append("dissector/wire/cursor.cpp", '#include "varint.h"\n')
        self.assertEqual(self.found(), [("own_headers_are_included_from_the_root", "dissector/wire/cursor.cpp", 6)])

    def test_printing_in_a_library_is_found(self):
        for line in ("#include <iostream>", 'std::printf("x");', 'fmt::print("x");', 'std::cerr << "x";', "exit(2);"):
            with self.subTest(line):
                self.setUp()
                self.append("dissector/wire/cursor.cpp", line + "\n")
                self.assertEqual(self.found(), [("libraries_do_not_print_or_exit", "dissector/wire/cursor.cpp", 6)])

    def test_functions_that_only_sound_like_printing_are_not_found(self):
        self.append("dissector/wire/cursor.cpp", 'snprintf(a, b, c);\nout.print("x");\nonExit(1);\nfootprint(2);\n')
        self.assertEqual(self.found(), [])

    def test_a_missing_license_line_is_found(self):
        self.write("dissector/wire/cursor.cpp", "int a;\n")
        self.assertEqual(self.found(), [("every_source_names_its_license", "dissector/wire/cursor.cpp", 1)])

    def test_a_missing_pragma_once_is_found(self):
        self.write("capture/types/endpoint.h", SPDX)
        self.assertEqual(self.found(), [("every_header_is_guarded_by_pragma_once", "capture/types/endpoint.h", 1)])

    def test_a_unit_that_is_too_long_is_found(self):
        self.append("dissector/wire/cursor.cpp", "\n" * structure.LONGEST_UNIT)
        self.assertEqual(self.found(), [("units_are_short", "dissector/wire/cursor.cpp", structure.LONGEST_UNIT)])

    def test_a_source_that_no_target_builds_is_found(self):
        self.write("dissector/wire/old_cursor.cpp", SPDX)
        self.assertEqual(self.found(), [("every_source_is_built", "dissector/wire/old_cursor.cpp", 1)])

    def test_a_header_that_nobody_includes_is_found(self):
        self.write("dissector/wire/varint.h", SPDX + "#pragma once\n")
        self.assertEqual(self.found(), [("every_source_is_built", "dissector/wire/varint.h", 1)])

    def test_what_was_left_open_is_found(self):
        self.append("dissector/wire/cursor.cpp", "// TO" "DO later\n")
        self.assertEqual(self.found(), [("nothing_is_left_open", "dissector/wire/cursor.cpp", 6)])


if __name__ == "__main__":
    unittest.main()
