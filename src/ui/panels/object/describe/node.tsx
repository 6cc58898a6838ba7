import { getOwn } from '../../../../std/index.ts';
import type { ApiObject } from '../../../../schema/index.ts';
import { Facts, Ident, StateMark } from '../../../parts/index.ts';
import { asList, asRecord, asText, at } from '../../../stores/jsonValues.ts';
import type { Description } from './description.ts';
import styles from './describe.module.css';

const taintText = (taint: unknown): string => {
  const value = asText(at(taint, 'value'));
  return `${asText(at(taint, 'key'))}${value && `=${value}`}:${asText(at(taint, 'effect'))}`;
};

function Resources({ object }: { readonly object: ApiObject }) {
  const capacity = asRecord(at(object, 'status', 'capacity'));
  const allocatable = asRecord(at(object, 'status', 'allocatable'));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">Capacity</th>
          <th scope="col">Allocatable</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(capacity).map(([name, amount]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{asText(amount)}</td>
            <td>{asText(getOwn(allocatable, name))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A node: whether it takes pods, what it has. */
export function describeNode(object: ApiObject): readonly Description[] {
  const ready = asList(at(object, 'status', 'conditions')).some(
    (each) => at(each, 'type') === 'Ready' && at(each, 'status') === 'True',
  );
  const addresses = asList(at(object, 'status', 'addresses')).map(
    (address) => `${asText(at(address, 'type'))} ${asText(at(address, 'address'))}`,
  );
  const facts = (
    <Facts
      facts={[
        ['Status', <StateMark key="s" state={ready ? 'ready' : 'failed'} text={ready ? 'Ready' : 'NotReady'} />],
        ['Scheduling', at(object, 'spec', 'unschedulable') === true ? 'disabled: it is cordoned' : ''],
        [
          'Taints',
          asList(at(object, 'spec', 'taints'))
            .map(taintText)
            .join(', '),
        ],
        ['Addresses', addresses.join(', ')],
        ['Pod range', <Ident key="p">{asText(at(object, 'spec', 'podCIDR'))}</Ident>],
      ]}
    />
  );
  return [
    { title: 'Node', content: facts },
    { title: 'Resources', content: <Resources object={object} /> },
  ];
}
