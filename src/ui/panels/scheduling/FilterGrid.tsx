import { Fragment, useState } from 'preact/compat';
import { Button, cx, ErrorNote, Section, StateMark } from '../../parts/index.ts';
import type { Facts, NodeRow, Placement, SchedulingAsked, SchedulingOverview, Verdict } from '../../scheduling.ts';
import { turnOf, useAnswer, useScheduling } from './questions.ts';
import { amountText, listed, pluginText } from './words.ts';
import styles from './SchedulingPanel.module.css';

/** So many nodes are drawn; those on which the pod fits come first. */
const MOST_ROWS = 60;

interface GridProps {
  readonly placement: Placement;
  readonly asked: SchedulingAsked;
}

interface FilterGridProps extends GridProps {
  readonly profiles: SchedulingOverview['profiles'];
}

/** The filters of the pod's profile that have nothing to say about it, whatever the node is. */
function silentFilters({ profile, filters }: Placement, profiles: FilterGridProps['profiles']): readonly string[] {
  const all = profiles.find(({ name }) => name === profile)?.filters ?? [];
  return all.filter((filter) => !filters.includes(filter));
}

/** Every node and every filter: the first refusal, what passed before it, and on demand what the others say. */
export function FilterGrid({ placement, asked, profiles }: FilterGridProps) {
  const { nodes, filters } = placement;
  const silent = silentFilters(placement, profiles);
  const [open, setOpen] = useState<string>();
  const rows = [...nodes].sort((a, b) => Number(b.fits) - Number(a.fits)).slice(0, MOST_ROWS);
  return (
    <Section title="Filters">
      <p className={styles.about}>
        Filters are asked in this order until one refuses. Open a node to ask them all and see what they compare.
        {silent.length > 0 &&
          ` Nothing in this pod concerns ${listed(silent, silent.length)}: they let it go anywhere.`}
      </p>
      <div className={styles.scroll} role="region" aria-label="Filters of each node" tabIndex={0}>
        <table className={styles.grid}>
          <thead>
            <tr>
              <th scope="col">Node</th>
              {filters.map((filter) => (
                <th key={filter} scope="col" className={styles.upright}>
                  <span>{pluginText(filter)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Fragment key={row.node}>
                <Row {...{ row, filters }} isOpen={open === row.node} onOpen={(name) => setOpen(name)} />
                {open === row.node && (
                  <tr>
                    <td colSpan={filters.length + 1}>
                      <Verdicts {...{ asked, placement }} node={row.node} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {nodes.length > rows.length && (
        <p className={styles.about}>and {nodes.length - rows.length} more nodes, counted above by what refused them</p>
      )}
    </Section>
  );
}

interface RowProps {
  readonly row: NodeRow;
  readonly filters: readonly string[];
  readonly isOpen: boolean;
  readonly onOpen: (node: string | undefined) => void;
}

function Row({ row, filters, isOpen, onOpen }: RowProps) {
  const refusing = row.first ? filters.indexOf(row.first.plugin) : filters.length;
  return (
    <tr className={cx(row.fits && styles.fits)}>
      <th scope="row">
        <Button look="quiet" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : row.node)}>
          {row.node}
        </Button>
      </th>
      {filters.map((filter, i) => (
        <td key={filter} title={cellTitle(row, filter, i - refusing)}>
          {i < refusing && <span className={styles.pass}>✓</span>}
          {i === refusing && <span className={styles.refuse}>✗</span>}
          {i > refusing && <span className={styles.unasked}>·</span>}
          <span className={styles.unseen}>{i < refusing ? 'passes' : i === refusing ? 'refuses' : 'not asked'}</span>
        </td>
      ))}
    </tr>
  );
}

function cellTitle({ node, first }: NodeRow, filter: string, side: number): string {
  if (side < 0) return `${filter} lets the pod go to ${node}`;
  return side === 0 ? `${filter}: ${first?.reasons.join(', ')}` : `${filter} is not asked any more`;
}

/** What every filter says of one node, with the numbers that it compares. */
function Verdicts({ asked, placement, node }: GridProps & { readonly node: string }) {
  const scheduling = useScheduling();
  const ask = async (): Promise<readonly Verdict[]> => (await scheduling?.verdicts(asked, node)) ?? [];
  const { answer = [], problem } = useAnswer(JSON.stringify([asked, node, turnOf(placement)]), ask);
  if (problem) return <ErrorNote title="The filters can’t be asked.">{problem}</ErrorNote>;
  return (
    <ul className={styles.verdicts} aria-label={`What every filter says of ${node}`}>
      {answer
        .filter(({ reasons, facts }) => reasons.length > 0 || facts.length > 0)
        .map(({ plugin, reasons, facts, isFirst }) => (
          <li key={plugin}>
            <StateMark
              state={reasons.length > 0 ? 'failed' : 'ready'}
              text={`${pluginText(plugin)}${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}`}
            />
            {isFirst && <span className={styles.about}> the refusal that counts</span>}
            <FactTable facts={facts} />
          </li>
        ))}
    </ul>
  );
}

function FactTable({ facts }: { readonly facts: Facts }) {
  const columns = [...new Set(facts.flatMap((fact) => Object.keys(fact)))];
  if (facts.length === 0) return null;
  return (
    <table className={styles.facts}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.map((fact, i) => (
          <tr key={i}>
            {columns.map((column) => (
              <td key={column}>{factText(fact, column)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function factText(fact: Facts[number], column: string): string {
  const value = Object.hasOwn(fact, column) ? fact[column] : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const resource = Object.hasOwn(fact, 'resource') ? fact['resource'] : undefined;
  return typeof value === 'number' && typeof resource === 'string' ? amountText(resource, value) : String(value);
}
