// Large tables come as planes of bytes, gzipped: all first bytes of a table, then all second ones.
const unpack = async () => {
  const bytes = Uint8Array.from(atob(facts.packed), (c) => c.charCodeAt(0));
  const whole = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  let at = 0;
  const take = ({ packed, shape: [rows, length] }) => {
    const n = rows * length, size = { u16: 2, u32: 4, f64: 8 }[packed], buffer = new Uint8Array(n * size);
    for (let b = 0; b < size; b++) for (let i = 0; i < n; i++) buffer[i * size + b] = whole[at + b * n + i];
    at += n * size;
    const numbers = new { u16: Uint16Array, u32: Uint32Array, f64: Float64Array }[packed](buffer.buffer);
    return Array.from({ length: rows }, (_, k) => Array.from(numbers.subarray(k * length, (k + 1) * length), (x) => (Number.isNaN(x) ? null : x)));
  };
  for (const c of facts.columns) for (const name of Object.keys(c)) if (c[name] && c[name].packed) c[name] = take(c[name]);
};
