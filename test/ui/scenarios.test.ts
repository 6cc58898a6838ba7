/** Every scenario's objects are taken by a cluster of either naming profile. */
import { describe, expect, it } from 'vitest';
import { Client, discover } from '../../src/client/index.ts';
import { namesOf, profiles } from '../../src/names/index.ts';
import { delay, realClock } from '../../src/std/index.ts';
import { applyManifests } from '../../src/ui/editor/apply.ts';
import { readManifests } from '../../src/ui/editor/documents.ts';
import { findScenario, scenarios } from '../../src/ui/scenarios/list.ts';
import { asTransport, clusterFor, openInPage } from './transport.ts';

const cases = Object.entries(scenarios).flatMap(([id, entry]) => profiles.map((naming) => ({ id, entry, naming })));

describe('the scenarios', () => {
  it.each(cases)(
    '$id is accepted, without a refusal on the way, under the names of $naming',
    async ({ entry, naming }) => {
      const { manifests, tries } = await entry.load();
      const names = namesOf(naming);
      const cluster = await clusterFor(naming, ['serviceaccount', 'serviceaccount-token']);
      openInPage(cluster, naming);
      const refused: string[] = [];
      const direct = asTransport(cluster);
      const transport: typeof direct = async (path, init) => {
        const response = await direct(path, init);
        const { method = 'GET' } = init ?? {};
        if (method !== 'GET' && !response.ok) refused.push(`${method} ${path}: ${await response.clone().text()}`);
        return response;
      };
      const client = new Client({ transport, names });
      const { resources } = await discover(client);
      const served = { versions: () => resources, reload: () => Promise.resolve() };
      const how = { way: 'merge', force: false, dryRun: false, namespace: 'default' } as const;
      const clock = realClock();
      const wait = (ms: number): Promise<void> => delay(clock, ms);
      const read = readManifests(names.fill(manifests));
      const outcomes = await applyManifests(client, served, read, how, wait);
      await cluster.stop();
      expect(refused).toEqual([]);
      expect(read.problems).toEqual([]);
      expect(outcomes.filter(({ did }) => did !== 'created')).toEqual([]);
      expect(tries.length).toBeGreaterThan(2);
    },
  );

  it('one that is not there is none', () => {
    expect(findScenario('constructor')).toBeUndefined();
  });
});
