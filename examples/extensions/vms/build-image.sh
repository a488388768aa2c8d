#!/bin/sh
# Builds what the VMs boot, a kernel and an initramfs, from Debian's packages. Nothing is installed; needs no root.
#   build-image.sh DIR
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${1:?say where the image is to be put}
mkdir -p "$cache"
work=$(mktemp -d "$cache/building.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The package linux-image-cloud-amd64 is empty and depends on the one of the present kernel.
kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
if [ -z "$kernel" ]; then
  echo "build-image.sh: apt knows no linux-image-cloud-amd64; run apt-get update on a Debian for amd64" >&2
  exit 1
fi
(cd "$work" && apt-get download -q "$kernel" busybox-static)
for package in "$work"/*.deb; do dpkg -x "$package" "$work/unpacked"; done

root=$work/root
mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/root" "$root/etc"
cp "$work/unpacked/bin/busybox" "$root/bin/busybox"
cp "$here/guest/init" "$root/init"
cp "$here/guest/agent" "$root/bin/agent"
chmod 755 "$root/init" "$root/bin/agent"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
ln -s busybox "$root/bin/sh"
(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$work/initramfs"

# Each appears whole or not at all; the initramfs last, since its presence says that the image is there.
mv "$work"/unpacked/boot/vmlinuz-* "$cache/kernel"
mv "$work/initramfs" "$cache/initramfs"
echo "$cache"
