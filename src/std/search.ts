/** The lowest index from `from` on at which `holds` is true; `length` if there is none. Once true, it must stay true. */
export function firstIndex(length: number, holds: (index: number) => boolean, from = 0): number {
  let low = from;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
