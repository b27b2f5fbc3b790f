#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the parts of Qt that the window uses under ThreadSanitizer: instrumented_qt.sh FOLDER
#
# The distribution's Qt is not instrumented: its locks are not seen, and ThreadSanitizer reports hundreds of races in
# its event queue and painting threads. This takes the distribution's own sources of the same version, so that programs
# built with its headers run with these libraries (LD_LIBRARY_PATH=FOLDER/lib QT_PLUGIN_PATH=FOLDER/plugins). They take
# an hour on two cores; once built they stay.
set -euo pipefail

folder=$(realpath -m "$1")
[ ! -e "$folder/built" ] || exit 0
mkdir -p "$folder/sources/lists/partial"
cd "$folder/sources"

# What apt knows as binary packages, as sources; without touching the machine's own lists.
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file"
done >apt.list
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types: .*/Types: deb-src/' "$file" >"$(basename "$file")"
done
apt=(-o Dir::Etc::SourceList="$PWD/apt.list" -o Dir::Etc::SourceParts="$PWD" -o Dir::State::Lists="$PWD/lists"
    -o APT::Sandbox::User=root)
apt-get "${apt[@]}" -q update
apt-get "${apt[@]}" -q source --download-only qt6-base
tar xf qt6-base_*.orig.tar.*

features=(-DFEATURE_sanitizer=ON -DFEATURE_sanitize_thread=ON)
for feature in sql network printsupport concurrent xcb vulkan eglfs linuxfb vnc glib icu libinput evdev tslib egl kms; do
    features+=("-DFEATURE_$feature=OFF")
done
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -S qtbase-everywhere-src-* -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_INSTALL_PREFIX="$folder/installed" -DCMAKE_C_FLAGS="-O1 -g1" -DCMAKE_CXX_FLAGS="-O1 -g1" \
    -DECM_ENABLE_SANITIZERS=thread -DBUILD_WITH_PCH=OFF -DQT_BUILD_TESTS=OFF -DQT_BUILD_EXAMPLES=OFF \
    -DINPUT_opengl=no "${features[@]}" "${launcher[@]}" >cmake.log 2>&1 ||
    { tail -20 cmake.log >&2; exit 1; }
ninja -C "$folder" Widgets Test DBus QOffscreenIntegrationPlugin
touch "$folder/built"
