// One process for the whole site: its tests are many and quick, a process is neither.
import './shop.ts'
import './api.ts'
import './protocols.ts'
import './files.ts'
import './faults.ts'
