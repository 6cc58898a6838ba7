import { kind } from '../define/index.ts';
import { age, firstOf, name, text } from '../meta/columns.ts';
import { internal } from '../groups.ts';
import { StorageVersion } from './storageVersion.ts';

export const storageversions = kind(StorageVersion, {
  group: internal,
  kind: 'StorageVersion',
  resource: 'storageversions',
  namespaced: false,
  doc: 'In which versions the servers store and read a resource.',
  versions: [{ version: 'v1alpha1', type: StorageVersion }],
  status: true,
  columns: [
    name,
    text(
      'CommonEncodingVersion',
      'Version in which all servers store objects.',
      ({ status }) => status.commonEncodingVersion ?? '<unset>',
    ),
    text(
      'StorageVersions',
      'Version in which each server stores objects.',
      ({ status }) =>
        firstOf(
          (status.storageVersions ?? []).map((server) => `${server.apiServerID ?? ''}=${server.encodingVersion ?? ''}`),
          3,
        ) || '<unset>',
    ),
    age,
  ],
});
