// SPDX-License-Identifier: Apache-2.0
// Gives the titles of a table's columns the same distance from the edge as the cells below have.
#pragma once

class QHeaderView;

namespace brokerscope {

// `by`: pixels left and right, beyond what the style gives.
void insetTitles(QHeaderView& header, int by);

} // namespace brokerscope
