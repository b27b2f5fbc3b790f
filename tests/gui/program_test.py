#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs brokerscope-gui as a user's shell would, without a screen, and looks at what it says, draws and returns.

    program_test.py PROGRAM SOURCE_FOLDER
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM, SOURCE = "", pathlib.Path()


def run(*arguments: str, screen: bool = False) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    if screen:
        environment["QT_QPA_PLATFORM"] = "offscreen"
    return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=120)


def size_of(png: pathlib.Path) -> tuple[int, int]:
    head = png.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", head[16:24])


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.picture = pathlib.Path(folder.name) / "out.png"

    def sample(self, name: str) -> str:
        return str(SOURCE / "samples" / name)

    def test_help_and_version_need_no_screen(self):
        self.assertIn("--screenshot", run("--help").stdout)
        self.assertRegex(run("--version").stdout, r"^brokerscope-gui \d+\.\d+\.\d+\n$")
        self.assertEqual(run("--help").returncode, 0)

    def test_without_a_screen_it_says_so_in_one_line(self):
        result = run(self.sample("first-steps.pcap"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("no screen", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def test_wrong_usage_is_refused_before_anything_is_read(self):
        for arguments in (["--zoom", "5"], ["--select", "0"], ["--tab", "x"], ["--theme", "pink"], ["--size", "1x"],
                          ["--port", "99999"], ["--no-such-option"], ["-Y", "latncy > 1"]):
            with self.subTest(arguments):
                result = run(*arguments, "--screenshot", str(self.picture))
                self.assertEqual(result.returncode, 2)
                self.assertTrue(result.stderr.startswith("brokerscope-gui: "))
                self.assertFalse(self.picture.exists())

    def test_a_picture_has_the_size_that_was_asked_for(self):
        result = run("--screenshot", str(self.picture), "--size", "1000x700", "--select", "6", "--field",
                     "request.timeoutMs", self.sample("produce-acks.pcap"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(size_of(self.picture), (1000, 700))

    def test_pictures_of_every_tab_and_theme_differ(self):
        seen = set()
        for tab in ("summary", "exchanges", "records"):
            for theme in ("light", "dark"):
                result = run("--screenshot", str(self.picture), "--size", "900x600", "--tab", tab, "--theme", theme,
                             self.sample("codecs.pcap"))
                self.assertEqual(result.returncode, 0, result.stderr)
                seen.add(self.picture.read_bytes())
        self.assertEqual(len(seen), 6)

    def test_what_cannot_be_read_ends_as_on_the_command_line(self):
        result = run("--screenshot", str(self.picture), str(SOURCE / "README.md"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("README.md", result.stderr)
        cut = self.picture.with_suffix(".pcap")
        cut.write_bytes(pathlib.Path(self.sample("produce-acks.pcap")).read_bytes()[:50000])
        self.assertEqual(run("--screenshot", str(self.picture), str(cut)).returncode, 3)


class Desktop(unittest.TestCase):
    DATA = "gui/data/org.brokerscope.Brokerscope"

    def file(self, ending: str) -> pathlib.Path:
        return SOURCE / (self.DATA + ending)

    def test_the_desktop_entry_is_valid(self):
        text = self.file(".desktop").read_text()
        self.assertIn("Exec=brokerscope-gui %F\n", text)
        if shutil.which("desktop-file-validate"):
            result = subprocess.run(["desktop-file-validate", self.file(".desktop")], capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_the_metainfo_is_valid_and_names_this_version(self):
        root = xml.etree.ElementTree.parse(self.file(".metainfo.xml")).getroot()
        self.assertEqual(root.findtext("id"), "org.brokerscope.Brokerscope")
        version = run("--version").stdout.split()[1]
        self.assertIn(version, [release.get("version") for release in root.iter("release")])
        if shutil.which("appstreamcli"):
            result = subprocess.run(["appstreamcli", "validate", "--no-net", self.file(".metainfo.xml")],
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stdout)

    def test_the_file_types_are_known_by_their_first_bytes(self):
        names = {"{http://www.freedesktop.org/standards/shared-mime-info}" + n for n in ("mime-type",)}
        root = xml.etree.ElementTree.parse(self.file("-mime.xml")).getroot()
        types = {node.get("type") for node in root if node.tag in names}
        self.assertEqual(types, {"application/vnd.tcpdump.pcap", "application/x-pcapng"})
        entry = self.file(".desktop").read_text()
        for name in types:
            self.assertIn(name + ";", entry)

    def test_icons_have_the_sizes_of_their_names(self):
        for size in (16, 22, 24, 32, 48, 64, 128, 256):
            self.assertEqual(size_of(SOURCE / f"gui/data/icons/{size}.png"), (size, size))


if __name__ == "__main__":
    PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
