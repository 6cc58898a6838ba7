/** A configuration that a plugin can't work with; the server does not start with it. */
export class PluginConfigError extends Error {
  override name = 'PluginConfigError';
}
