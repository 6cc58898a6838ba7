import { cx, Section } from '../../parts/index.ts';
import type { PreemptionStory } from '../../scheduling.ts';
import { budgetText, comparedText, comparisonNote, preemptionText } from './words.ts';
import styles from './SchedulingPanel.module.css';

/** Who would have to go for the pod, and why just these. */
export function Preemption({ story }: { readonly story: PreemptionStory }) {
  const { node, decidedBy } = story;
  const candidates = [...story.candidates].sort((a, b) => Number(b.node === node) - Number(a.node === node));
  return (
    <Section title="Preemption">
      <p>{preemptionText(story)}</p>
      {candidates.length > 1 && <p className={styles.about}>{comparisonNote}</p>}
      <ol className={styles.candidates}>
        {candidates.slice(0, 12).map((candidate) => (
          <li key={candidate.node} className={cx(styles.candidate, candidate.node === node && styles.chosen)}>
            <strong>{candidate.node}</strong>
            {candidate.node === node && ' (chosen)'}
            <p>
              {candidate.victims.map(({ pod, priority }) => `${pod} (priority ${priority})`).join(', ')} would go.{' '}
              {budgetText(candidate)}
            </p>
            <ul className={styles.compared}>
              {candidate.compared.map((each) => (
                <li key={each.criterion} className={cx(each.criterion === decidedBy && styles.deciding)}>
                  {each.criterion}: {comparedText(each, candidate)}
                  {each.criterion === decidedBy && candidate.node === node && ' – this decided'}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Section>
  );
}
