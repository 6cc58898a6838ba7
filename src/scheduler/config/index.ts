export { ConfigurationError, Fields } from './fields.ts';
export { defaultConfiguration, readConfiguration, type Configuration, type ProfileChoice } from './configuration.ts';
export { profilesOf, type Profile } from './profiles.ts';
export { readPolicy } from './policy.ts';
