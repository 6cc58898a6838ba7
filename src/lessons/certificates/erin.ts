/** A key pair of the lesson's person. It was made to be shown and opens nothing outside of the lesson's cluster. */

/** A signing request for `erin` of the group `staff`: PEM, in base64 as the API wants it. */
export const erinsRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYk1JR0JBZ0VBTUI4eERUQUxCZ05WQkFNTUJHVnlhVzR4RGpBTUJnTlZCQW9NQlhOMFlXWm1NRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFdHBLMC91LytYSVk0QjBGSEZsU09BVlFxcy8vWEtOVkJDajNzClVhTHRiN2U0N2VlUUxla3dxZ3Q1WE9kQzg5R0ltc01ZWmZ1aWxRaERybW1RZ1RkQUU2QUFNQW9HQ0NxR1NNNDkKQkFNQ0Ewa0FNRVlDSVFDY3pXUzU1NStRdkZzeDFFdVBNT1ZkWHduSng4WXA0ci9MQ1d5TnZsVzVTUUloQUpHdAoxcWJFOU1xd0gyUWo4RVR4RXUzcndZTGhKbC9XdjdPaTJndEhzekQ5Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';

/** The key of that request: PKCS#8, in base64. */
export const erinsKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwLGtCl5sNN5VCUA5vNdcfwh20t9eRQ1G2n7Uc7V/WCShRANCAAS2krT+7/5chjgHQUcWVI4BVCqz/9co1UEKPexRou1vt7jt55At6TCqC3lc50Lz0Yiawxhl+6KVCEOuaZCBN0AT';
