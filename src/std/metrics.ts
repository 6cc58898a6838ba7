/** Counters, gauges and histograms, and their Prometheus text format. */

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A metric family, declared once in the list of the module that counts it. */
export interface MetricFamily<L extends string = string> {
  readonly type: MetricType;
  readonly name: string;
  /** One sentence; part of the text format. */
  readonly help: string;
  /** The labels in output order. */
  readonly labels: readonly L[];
  /** Upper bounds of a histogram's buckets, ascending; the last bucket (+Inf) is implied. */
  readonly buckets: readonly number[];
}

/** A value for each label. */
export type LabelValues<L extends string> = Readonly<Record<L, string>>;

/** A metric that only increases. */
export const counter = <L extends string = never>(
  name: string,
  help: string,
  labels: readonly L[] = [],
): MetricFamily<L> => ({ type: 'counter', name, help, labels, buckets: [] });

/** A metric that goes up and down. */
export const gauge = <L extends string = never>(
  name: string,
  help: string,
  labels: readonly L[] = [],
): MetricFamily<L> => ({ type: 'gauge', name, help, labels, buckets: [] });

/** A distribution of observations over buckets. */
export const histogram = <L extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly L[] = [],
): MetricFamily<L> => ({ type: 'histogram', name, help, labels, buckets });

/** `count` bounds, each `factor` times the previous one. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => start * factor ** i);
}

/** The values of one family for one set of labels. Frequent users keep a reference to it. */
export class Series {
  /** `a="b",c="d"` without braces, so that the bound of a bucket can be appended. */
  readonly labels: string;
  value = 0;
  /** The number of observations in each bucket, including the implied last one. */
  readonly counts: number[];
  readonly #buckets: readonly number[];

  constructor(labels: string, buckets: readonly number[], isHistogram: boolean) {
    this.labels = labels;
    this.#buckets = buckets;
    this.counts = isHistogram ? new Array<number>(buckets.length + 1).fill(0) : [];
  }

  add(by = 1): void {
    this.value += by;
  }

  set(value: number): void {
    this.value = value;
  }

  reset(): void {
    this.value = 0;
    this.counts.fill(0);
  }

  /** Records one observation of a histogram, or several of the same value. */
  observe(value: number, times = 1): void {
    let at = 0;
    while (at < this.#buckets.length && value > (this.#buckets[at] as number)) at += 1;
    this.counts[at] = (this.counts[at] ?? 0) + times;
    this.value += value * times;
  }
}

interface Registered {
  readonly family: MetricFamily;
  readonly series: Map<string, Series>;
}

/** The metrics of one process. A family exists from its registration or first use; names are unique. */
export class Metrics {
  readonly #families = new Map<MetricFamily, Registered>();
  readonly #names = new Set<string>();
  readonly #collectors = new Set<() => void>();

  constructor(families: readonly MetricFamily[] = []) {
    this.register(families);
  }

  /** Registers families, so that those without labels are shown before they have counted anything. */
  register(families: readonly MetricFamily[]): void {
    for (const family of families) this.#of(family);
  }

  /** The series of these labels. */
  at<L extends string>(family: MetricFamily<L>, values: LabelValues<L>): Series {
    const { series } = this.#of(family);
    let key = '';
    for (const label of family.labels) key += `${values[label]}\u0000`;
    const known = series.get(key);
    if (known) return known;
    const made = new Series(labelText(family, values), family.buckets, family.type === 'histogram');
    series.set(key, made);
    return made;
  }

  /** Adds to a counter or gauge; a negative number lowers a gauge. */
  add<L extends string>(family: MetricFamily<L>, values: LabelValues<L>, by = 1): void {
    this.at(family, values).add(by);
  }

  set<L extends string>(family: MetricFamily<L>, values: LabelValues<L>, value: number): void {
    this.at(family, values).set(value);
  }

  observe<L extends string>(family: MetricFamily<L>, values: LabelValues<L>, value: number): void {
    this.at(family, values).observe(value);
  }

  /** Removes all series of a family, for gauges that a collector rewrites. */
  clear(family: MetricFamily): void {
    this.#of(family).series.clear();
  }

  /** Resets the counters. Gauges stay, because they show the present state. */
  reset(): void {
    for (const { family, series } of this.#families.values())
      if (family.type !== 'gauge') for (const one of series.values()) one.reset();
  }

  /** Calls `collect` before each reading, to update gauges; returns a function that stops it. */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect);
    return () => this.#collectors.delete(collect);
  }

  /** The Prometheus text format, families sorted by name. */
  text(): string {
    for (const collect of this.#collectors) collect();
    const lines = [...this.#families.values()]
      .filter(({ series }) => series.size > 0)
      .sort((a, b) => (a.family.name < b.family.name ? -1 : 1))
      .flatMap(familyLines);
    return `${lines.join('\n')}\n`;
  }

  #of(family: MetricFamily): Registered {
    const known = this.#families.get(family);
    if (known) return known;
    if (this.#names.has(family.name)) throw new Error(`two metrics are called ${family.name}`);
    this.#names.add(family.name);
    const made: Registered = { family, series: new Map() };
    this.#families.set(family, made);
    if (family.labels.length === 0) this.at(family, {});
    return made;
  }
}

function labelText<L extends string>({ labels }: MetricFamily<L>, values: LabelValues<L>): string {
  return labels.map((label) => `${label}="${escapeLabel(values[label])}"`).join(',');
}

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function familyLines({ family, series }: Registered): string[] {
  const { name, help, type } = family;
  const head = [`# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`, `# TYPE ${name} ${type}`];
  const lines = (one: Series): string[] =>
    type === 'histogram' ? histogramLines(family, one) : [line(name, one.labels, one.value)];
  return [...head, ...[...series.values()].flatMap(lines)];
}

/** Buckets are cumulative: each counts all observations up to its bound. */
function histogramLines({ name, buckets }: MetricFamily, { labels, counts, value }: Series): string[] {
  let total = 0;
  const rows = counts.map((count, i) => {
    total += count;
    const bound = `le="${numberText(buckets[i] ?? Infinity)}"`;
    return line(`${name}_bucket`, labels === '' ? bound : `${labels},${bound}`, total);
  });
  return [...rows, line(`${name}_sum`, labels, value), line(`${name}_count`, labels, total)];
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}`;
}

/** A number in its shortest form, with a two-digit exponent from a million on and below a ten-thousandth. */
function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  const size = Math.abs(value);
  if (Number.isNaN(value) || size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
