/**
 * Builds a client while the variables of its SDK are out of sight. Both SDKs read a dozen of them in their constructors
 * (headers, organisation, logging, credentials on disk), and a folder's terminal settings could set any of them. The work is
 * synchronous, so nobody else sees the gap.
 */
export function withoutEnvironment<T>(prefix: string, build: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
  for (const [name] of hidden) Reflect.deleteProperty(process.env, name);
  try {
    return build();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}
