/** Optional packages that some package of the lock file asks for and that have no entry of their own in it. */
export function missingFromLock({ packages }) {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, { optionalDependencies = {}, dev }]) =>
      Object.entries(optionalDependencies)
        .filter(([name]) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`])
        .map(([name, version]) => ({ name, version, dev })),
    )
}
