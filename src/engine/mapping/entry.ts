import { mappers } from '../../commands/mappers/index.ts'
import { serveMappers } from './worker.ts'

serveMappers(mappers)
