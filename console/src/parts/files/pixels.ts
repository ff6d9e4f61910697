/** How wide and high an image says it is, by its first bytes. */
type Size = [width: number, height: number];

/** Null where it does not say so early on. */
export function pixelsOf(bytes: Uint8Array, type: string): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (type === 'image/png') return [view.getUint32(16), view.getUint32(20)];
    if (type === 'image/gif') return [view.getUint16(6, true), view.getUint16(8, true)];
    if (type === 'image/jpeg') return ofJpeg(view);
    if (type === 'image/webp') return ofWebp(view);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // cut
  }
  return null;
}

/** In the first segment that tells of a frame. */
function ofJpeg(view: DataView): Size {
  let at = 2;
  for (;;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
}

function ofWebp(view: DataView): Size | null {
  const kind = view.getUint8(15);
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;
  if (kind === 0x58) return [three(24) + 1, three(27) + 1]; // VP8X
  if (kind === 0x20) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]; // VP8
  const bits = view.getUint32(21, true); // VP8L
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}
