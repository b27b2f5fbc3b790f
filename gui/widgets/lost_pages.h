// SPDX-License-Identifier: Apache-2.0
// Captures are mapped, and a mapped file that becomes shorter (a capture program that starts anew with the same name)
// ends whoever reads behind its new end (SIGBUS). A window with an hour's work in it must not end so: from the call on,
// bytes that are gone read as zeros. The window says so when the file's change is told to it.
//
// Threads: any may read; the handler uses nothing but mmap. What is no lost page of a file ends the program as before.
#pragma once

namespace brokerscope {

void outliveLostPages();

} // namespace brokerscope
