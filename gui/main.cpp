// SPDX-License-Identifier: Apache-2.0
// brokerscope-gui: the command line, and what follows from it. --help and --version need no screen.
#include "gui/widgets/icons.h"
#include "gui/widgets/lost_pages.h"
#include "gui/widgets/main_window.h"
#include "gui/widgets/screenshot.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <cstdio>
#include <optional>

namespace {

using namespace brokerscope;

// As those of the command line tool.
enum Exit { Done = 0, Unusable = 2, Damaged = 3 };

struct Request {
    QStringList files, keyLogs;
    QString filter, typed, field, screenshot;
    std::optional<std::uint64_t> select;
    std::optional<Tab> tab;
    std::optional<ThemeChoice> theme;
    std::optional<int> zoom;
    std::optional<QSize> size;
    std::vector<std::uint16_t> ports;
    bool fresh = false;
};

struct Options {
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("show this and end")};
    QCommandLineOption version{QStringLiteral("version"), QStringLiteral("show the version and end")};
    QCommandLineOption filter{{QStringLiteral("Y"), QStringLiteral("filter")},
                              QStringLiteral("show what fits the display filter"),
                              QStringLiteral("EXPR")};
    QCommandLineOption select{QStringLiteral("select"), QStringLiteral("select exchange N"), QStringLiteral("N")};
    QCommandLineOption field{QStringLiteral("field"),
                             QStringLiteral("select a field of it, as in response.topics[0].errorCode"),
                             QStringLiteral("PATH")};
    QCommandLineOption tab{QStringLiteral("tab"), QStringLiteral("summary, exchanges or records"),
                           QStringLiteral("TAB")};
    QCommandLineOption port{QStringLiteral("port"), QStringLiteral("treat this port as Kafka's"), QStringLiteral("N")};
    QCommandLineOption keyLog{QStringLiteral("keylog"),
                              QStringLiteral("read TLS secrets from FILE (SSLKEYLOGFILE format)"),
                              QStringLiteral("FILE")};
    QCommandLineOption theme{QStringLiteral("theme"), QStringLiteral("system, light or dark"), QStringLiteral("THEME")};
    QCommandLineOption zoom{QStringLiteral("zoom"), QStringLiteral("size of everything in percent, 60 to 300"),
                            QStringLiteral("N")};
    QCommandLineOption fresh{QStringLiteral("fresh"), QStringLiteral("neither read nor write settings")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"),
                                  QStringLiteral("write a picture of the window when all is shown, and end"),
                                  QStringLiteral("OUT.png")};
    QCommandLineOption size{QStringLiteral("size"), QStringLiteral("size of the window, as in 1280x800"),
                            QStringLiteral("WxH")};
    QCommandLineOption type{QStringLiteral("type"), QStringLiteral("type TEXT into the filter without applying it"),
                            QStringLiteral("TEXT")};

    void addTo(QCommandLineParser& parser) const {
        parser.addOptions(
            {help, version, filter, select, field, tab, port, keyLog, theme, zoom, fresh, screenshot, size, type});
        parser.addPositionalArgument(QStringLiteral("FILE"),
                                     QStringLiteral("captures (pcap, pcapng, also .gz and .zst); several are one, in "
                                                    "the order of time; - is standard input"),
                                     QStringLiteral("[FILE...]"));
    }
};

// The place of a word in a list; the words are an option's choices in the order of its enumeration.
template<class T>
std::optional<T> choiceOf(const QString& word, std::initializer_list<const char*> words) {
    int at = 0;
    for (const char* candidate : words) {
        if (word == QLatin1String(candidate)) return static_cast<T>(at);
        ++at;
    }
    return std::nullopt;
}

// An error in words; empty when all is well.
QString read(const QCommandLineParser& parser, const Options& options, Request& request) {
    request.files = parser.positionalArguments();
    request.filter = parser.value(options.filter);
    request.typed = parser.value(options.type);
    request.field = parser.value(options.field);
    request.screenshot = parser.value(options.screenshot);
    request.fresh = parser.isSet(options.fresh) || parser.isSet(options.screenshot);
    request.keyLogs = parser.values(options.keyLog);
    bool good = true;
    if (parser.isSet(options.select)) {
        request.select = parser.value(options.select).toULongLong(&good);
        if (!good || *request.select == 0) return QStringLiteral("--select wants the number of an exchange, from 1");
    }
    if (parser.isSet(options.zoom)) {
        request.zoom = parser.value(options.zoom).toInt(&good);
        if (!good || *request.zoom < Settings::leastZoom || *request.zoom > Settings::mostZoom)
            return QStringLiteral("--zoom wants a number from 60 to 300");
    }
    for (const QString& text : parser.values(options.port)) {
        const int port = text.toInt(&good);
        if (!good || port < 1 || port > 65535) return QStringLiteral("--port wants a number from 1 to 65535");
        request.ports.push_back(static_cast<std::uint16_t>(port));
    }
    if (parser.isSet(options.tab)) {
        request.tab = choiceOf<Tab>(parser.value(options.tab), {"summary", "exchanges", "records"});
        if (!request.tab) return QStringLiteral("--tab wants summary, exchanges or records");
    }
    if (parser.isSet(options.theme)) {
        request.theme = choiceOf<ThemeChoice>(parser.value(options.theme), {"system", "light", "dark"});
        if (!request.theme) return QStringLiteral("--theme wants system, light or dark");
    }
    if (parser.isSet(options.size)) {
        static const QRegularExpression form(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
        const auto match = form.match(parser.value(options.size));
        if (!match.hasMatch()) return QStringLiteral("--size wants width and height, as in 1280x800");
        request.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    }
    if (!request.filter.isEmpty()) {
        auto compiled = Filter::compile(request.filter.toStdString(), Protocol::builtin());
        if (const auto* error = std::get_if<FilterError>(&compiled))
            return QString::fromStdString(describe(*error, request.filter.toStdString()));
    }
    return {};
}

void fail(const QString& message) {
    std::fprintf(stderr, "brokerscope-gui: %s\n", qPrintable(message));
}

int run(QApplication& application, const Request& request) {
    Theme theme;
    const Preferences preferences(request.fresh);
    MainWindow window(theme, preferences);
    QApplication::setWindowIcon(applicationIcon());
    for (std::uint16_t port : request.ports)
        window.addForcedPort(port);
    for (const QString& path : request.keyLogs)
        window.addKeyLog(path);
    if (request.theme) window.setTheme(*request.theme);
    if (request.zoom) window.setZoom(*request.zoom);
    if (request.size || !request.screenshot.isEmpty()) // pictures do not depend on a screen
        window.resize(request.size.value_or(MainWindow::firstSize));
    if (!request.filter.isEmpty()) window.applyFilter(request.filter);
    window.show();
    if (!request.files.isEmpty()) window.openFiles(request.files);
    if (request.select) window.selectExchange(ExchangeId{*request.select}, request.field);
    if (request.tab) window.showTab(*request.tab);
    const auto type = [&] {
        if (request.tab) window.showTab(*request.tab);
        if (request.typed.isEmpty()) return;
        window.filterBar().edit().setFocus();
        window.filterBar().edit().clear();
        window.filterBar().edit().type(request.typed);
    };
    if (request.screenshot.isEmpty()) {
        type();
        return application.exec();
    }
    Screenshot screenshot(window, request.screenshot, type);
    application.exec();
    if (screenshot.failed()) {
        fail(QStringLiteral("%1 could not be written").arg(request.screenshot));
        return Unusable;
    }
    if (!window.openError().isEmpty()) {
        fail(window.openError());
        return Unusable;
    }
    return window.report() && !window.report()->info.damage.empty() ? Damaged : Done;
}

bool hasScreen() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication::setApplicationName(QStringLiteral("brokerscope-gui"));
    QCoreApplication::setApplicationVersion(QStringLiteral(BROKERSCOPE_VERSION));
    QStringList words;
    for (int i = 0; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Brokerscope: a window into the Apache Kafka protocol."));
    const Options options;
    options.addTo(parser);
    const bool parsed = parser.parse(words);
    if (parsed && (parser.isSet(options.help) || parser.isSet(options.version))) {
        const QCoreApplication application(argc, argv);
        if (parser.isSet(options.version))
            std::printf("brokerscope-gui %s\n", BROKERSCOPE_VERSION);
        else
            std::fputs(qPrintable(parser.helpText()), stdout);
        return Done;
    }
    Request request;
    const QString error = parsed ? read(parser, options, request) : parser.errorText();
    if (!error.isEmpty()) {
        fail(error);
        return Unusable;
    }
    if (!hasScreen()) {
        if (request.screenshot.isEmpty()) {
            fail(QStringLiteral("there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set); --screenshot "
                                "works without one, and so does brokerscope, the command line"));
            return Unusable;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    outliveLostPages();
    QApplication application(argc, argv);
    QApplication::setApplicationDisplayName(QStringLiteral("Brokerscope"));
    QApplication::setDesktopFileName(QStringLiteral("org.brokerscope.Brokerscope"));
    return run(application, request);
}
