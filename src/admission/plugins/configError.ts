/** An invalid plugin configuration; the server does not start with it. */
export class PluginConfigError extends Error {
  override name = 'PluginConfigError';
}
