/** The version that this server reports: the reference's version, marked as simulated. */
export const VERSION = {
  major: '1',
  minor: '20',
  gitVersion: 'v1.20.2',
  gitCommit: 'faecb196815e248d3ecfb03c680a4507229c2a56',
  gitTreeState: 'clean',
  buildDate: '2021-01-13T13:20:00Z',
  goVersion: 'go1.15.5',
  compiler: 'gc',
  platform: 'browser/vitrine',
};
