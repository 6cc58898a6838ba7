/** `config`: the clusters, users and contexts that commands may be for. */
import { group } from '../../command/command.ts';
import { deleteCluster, deleteContext, deleteUser, renameContext } from './entries.ts';
import { setCluster } from './setCluster.ts';
import { setContext } from './setContext.ts';
import { setCredentials } from './setCredentials.ts';
import { currentContext, getClusters, getContexts, getUsers, view } from './show.ts';
import { setValue, unsetValue, useContext } from './values.ts';

export const config = group({
  name: 'config',
  aliases: [],
  subcommands: [
    ...[currentContext, deleteCluster, deleteContext, deleteUser, getClusters, getContexts, getUsers, renameContext],
    ...[setValue, setCluster, setContext, setCredentials, unsetValue, useContext, view],
  ],
});
