/** Values of metrics as people read them. */

/** Four digits that count, and powers of ten where there would be many zeros. */
export function formatMetric(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e7))
    return value
      .toExponential(2)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e');
  return String(size >= 1000 ? Math.round(value * 10) / 10 : Number(value.toPrecision(4)));
}
