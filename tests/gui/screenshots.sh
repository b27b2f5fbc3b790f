#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of the window in the states that matter, for people to look at: screenshots.sh PROGRAM OUT_FOLDER
# Uses Xvfb when it is there (as in continuous integration), else the offscreen platform.
set -euo pipefail

program=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
samples=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../samples")
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)}

if [ -z "${DISPLAY:-}" ] && command -v xvfb-run >/dev/null && [ -z "${BROKERSCOPE_INSIDE_XVFB:-}" ]; then
    BROKERSCOPE_INSIDE_XVFB=1 exec xvfb-run -a -s "-screen 0 2600x1700x24" "$0" "$program" "$out"
fi

# picture NAME SIZE ARGUMENTS...
picture() {
    local name=$1 size=$2
    shift 2
    "$program" --screenshot "$out/$name.png" --size "$size" --theme light "$@" || [ $? -eq 3 ]
    printf '%s\n' "$out/$name.png"
}

picture 01-empty 1280x800
picture 02-field-and-bytes 1280x800 --select 16 --field 'response.topics[0].partitions[1].leaderId' \
    "$samples/produce-acks.pcap"
picture 03-zstd-batch-record 1280x800 -Y 'api == Produce' --select 41 \
    --field 'request.topicData[0].partitionData[0].records[0].records[2].value' "$samples/codecs.pcap"
picture 04-filter-completion 1280x800 --type 'api == Fe' "$samples/errors.pcap.zst"
picture 05-filter-invalid 1280x800 -Y error --type 'api == Fetch and latncy > 100ms' "$samples/errors.pcap.zst"
picture 06-records 1280x800 --tab records "$samples/codecs.pcap"
picture 07-dark 1280x800 --theme dark -Y 'error or slow' --select 60 "$samples/errors.pcap.zst"
picture 08-summary 1280x800 --tab summary "$samples/errors.pcap.zst"
picture 09-large 1920x1080 --select 40 "$samples/errors.pcap.zst"
QT_SCALE_FACTOR=2 picture 10-high-dpi 1280x800 --select 40 "$samples/errors.pcap.zst"
picture 11-zoom-200 1280x800 --zoom 200 --select 40 "$samples/errors.pcap.zst"
picture 12-small 900x600 --select 40 "$samples/lossy.pcap.zst"
head -c 60000 "$samples/produce-acks.pcap" >"$out/cut.pcap"
picture 13-damaged 1280x800 --select 20 "$out/cut.pcap"
rm "$out/cut.pcap"
