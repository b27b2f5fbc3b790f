// SPDX-License-Identifier: Apache-2.0
// Nothing: CMake builds precompiled headers only for a target with a source.
