/** Values inside rows by their paths: reading, writing, deleting, selecting. */
export { type Place, placeOf, pointerTo, type ReadOptions, readPath, readPlace } from './path/read.ts'
export { selectPaths } from './path/select.ts'
export { deletePath, writePath } from './path/write.ts'
