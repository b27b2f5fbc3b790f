// SPDX-License-Identifier: Apache-2.0
// Measures the window on a large capture, offscreen: first rows after opening, the whole index, filters and sorts until
// the table is painted, the longest time in which the GUI thread did nothing else, memory beside the mapped file.
//
//     gui_bench [FILE [EXPR...]]
//
// Without a file, a shipped sample. Options, as Google's benchmarks take them, are passed over.
// A frame counts when the table was painted in a visible window. Prints figures, judges nothing. Beside the time by the
// clock stands what the thread worked itself: on a busy machine the first holds the turns of others, too.
#include "gui/widgets/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace brokerscope;

double anonymousMegabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "RssAnon:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1000;
        }
    return 0;
}

// Of this thread, in milliseconds.
double workedMs() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) / 1e6;
}

// Beats every 5 ms; the longest pause between two beats is how long the window stood still.
class Heart : public QObject {
  public:
    Heart() {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_longest = std::max(m_longest, m_since.nsecsElapsed());
            m_since.restart();
            const double worked = workedMs();
            m_longestWork = std::max(m_longestWork, worked - m_worked);
            m_worked = worked;
            memory = std::max(memory, anonymousMegabytes());
        });
        restart();
        m_timer.start(5);
    }
    void restart() {
        m_longest = 0;
        m_since.start();
        m_longestWork = 0;
        m_worked = workedMs();
    }
    double longestMs() const { return static_cast<double>(m_longest) / 1e6; }
    double longestWorkMs() const { return m_longestWork; }
    double memory = 0;

  private:
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_longest = 0;
    double m_worked = 0, m_longestWork = 0;
};

// Knows when the table was painted last.
class Painted : public QObject {
  public:
    explicit Painted(QWidget* viewport) { viewport->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++frames;
        return false;
    }
    int frames = 0;
};

// Sleeps between events, as a real event loop does; the heart wakes it. (With a time given, processEvents would spin.)
void turnUntil(const std::function<bool()>& holds) {
    while (!holds())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

double ms(const QElapsedTimer& since) {
    return static_cast<double>(since.nsecsElapsed()) / 1e6;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<const char*> words;
    for (int i = 1; i < argc; ++i)
        if (argv[i][0] != '-') words.push_back(argv[i]);
    if (words.empty()) words = {BROKERSCOPE_SOURCE_DIR "/samples/errors.pcap.zst", "error"};
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    const Preferences preferences(true);
    MainWindow window(theme, preferences);
    window.resize(1280, 800);
    Heart heart;
    window.show();
    turnUntil([&] { return window.isVisible(); });
    heart.restart();
    Painted painted(window.exchangePage().view().viewport());
    const double memoryBefore = anonymousMegabytes();

    QElapsedTimer since;
    const auto paintedSince = [&](int frames) { return painted.frames > frames && window.isVisible(); };
    since.start();
    window.openFiles({QString::fromLocal8Bit(words[0])});
    turnUntil([&] { return (window.table().rowCount() > 0 && paintedSince(0)) || !window.openError().isEmpty(); });
    if (!window.openError().isEmpty()) {
        std::fprintf(stderr, "gui_bench: %s\n", qPrintable(window.openError()));
        return 2;
    }
    std::printf("first rows on screen     %8.1f ms\n", ms(since));
    turnUntil([&] { return !window.loading() && window.report(); });
    std::printf("whole index              %8.1f ms, %d exchanges\n", ms(since), window.table().rowCount());
    turnUntil([&] { return window.settled(); });
    std::printf("summary and all settled  %8.1f ms\n", ms(since));
    std::printf("longest GUI block        %8.1f ms while loading, at most %.1f ms of work\n", heart.longestMs(),
                heart.longestWorkMs());
    std::printf("memory                   %8.1f MB, peak %.1f MB; %.1f MB before opening\n", anonymousMegabytes(),
                heart.memory, memoryBefore);

    for (std::size_t i = 1; i < words.size(); ++i) {
        const Filter filter = std::get<Filter>(Filter::compile(words[i], Protocol::builtin()));
        const ExchangeIndex& index = *window.table().exchanges();
        IndexedSubject subject(index, Protocol::builtin(), {});
        since.start();
        const double before = workedMs();
        std::uint32_t found = 0;
        for (std::uint32_t row = 0; row < index.size(); ++row)
            found += subject.assign(row) && filter.matches(subject);
        std::printf("filter pass, one thread  %8.1f ms, %.1f ms of work, %u found: %s\n", ms(since),
                    workedMs() - before, found, words[i]);
        heart.restart();
        const int frames = painted.frames;
        since.start();
        window.applyFilter(QString::fromLocal8Bit(words[i]));
        turnUntil([&] { return window.settled() && paintedSince(frames); });
        std::printf("filter to painted table  %8.1f ms, longest GUI block %.1f ms, %.1f ms of work\n", ms(since),
                    heart.longestMs(), heart.longestWorkMs());
    }
    window.applyFilter({});
    turnUntil([&] { return window.settled(); });
    for (ExchangeColumn column : {ExchangeColumn::Latency, ExchangeColumn::Client, ExchangeColumn::Subject}) {
        heart.restart();
        const int frames = painted.frames;
        since.start();
        Q_EMIT window.exchangePage().view().sortWished(column, true);
        turnUntil([&] { return window.settled() && paintedSince(frames); });
        std::printf("sort to painted table    %8.1f ms, longest GUI block %.1f ms, %.1f ms of work: %s\n", ms(since),
                    heart.longestMs(), heart.longestWorkMs(), qPrintable(title(column)));
    }
    heart.restart();
    ExchangeView& view = window.exchangePage().view();
    since.start();
    for (int step = 0; step < 100; ++step) {
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 100 * step);
        QCoreApplication::processEvents();
    }
    std::printf("a hundred scrolls        %8.1f ms, longest GUI block %.1f ms\n", ms(since), heart.longestMs());
    heart.restart();
    since.start();
    view.selectAll();
    QCoreApplication::processEvents();
    std::printf("select all               %8.1f ms\n", ms(since));
    heart.restart();
    since.start();
    window.closeCapture();
    turnUntil([&] { return window.settled(); });
    std::printf("close                    %8.1f ms, longest GUI block %.1f ms\n", ms(since), heart.longestMs());
    std::printf("peak memory              %8.1f MB\n", heart.memory);
    return 0;
}
