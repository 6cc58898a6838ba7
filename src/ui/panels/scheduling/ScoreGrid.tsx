import { cx, Section } from '../../parts/index.ts';
import type { Placement } from '../../scheduling.ts';
import { pluginText } from './words.ts';
import styles from './SchedulingPanel.module.css';

const MOST_ROWS = 60;

/** The scores of each node that fits: raw, from 0 to 100, by weight, and their sum. */
export function ScoreGrid({ placement: { nodes, winners } }: { readonly placement: Placement }) {
  const scored = nodes.filter(({ scores }) => scores).sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
  const plugins = (scored[0]?.scores ?? []).map(({ plugin, weight }) => ({ plugin, weight }));
  if (scored.length === 0) return null;
  return (
    <Section title="Scores">
      <p className={styles.about}>
        Each plugin gives a raw score, which is brought to 0–100 and multiplied by its weight. The highest sum wins.
      </p>
      <div className={styles.scroll} role="region" aria-label="Scores of each node" tabIndex={0}>
        <table className={styles.grid}>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Sum</th>
              {plugins.map(({ plugin, weight }) => (
                <th key={plugin} scope="col" className={styles.upright}>
                  <span>
                    {pluginText(plugin)} ×{weight}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scored.slice(0, MOST_ROWS).map(({ node, total, scores = [] }) => (
              <tr key={node} className={cx(winners.includes(node) && styles.fits)}>
                <th scope="row">{node}</th>
                <td className={styles.sum}>{total}</td>
                {scores.map(({ plugin, raw, normalized, weight, weighted }) => (
                  <td
                    key={plugin}
                    title={`${plugin}: raw ${raw}, ${normalized} of 100, times ${weight} is ${weighted}`}
                  >
                    {weighted}
                    <span className={styles.raw}>{raw === normalized ? `of 100` : `raw ${raw}`}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
