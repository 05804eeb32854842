import { command } from './command.ts'

export default command({
  name: 'devices',
  kind: 'source',
  group: 'get',
  summary: 'Lists the devices that the browser can stand for',
  help: 'A row for each: `name`, as `--device` takes it, `default`, `userAgent` and `viewport`.',
  arguments: [],
  examples: [
    {
      title: 'One of them',
      query: `devices || filter "name == 'Desktop'" || table name default viewport.width viewport.height`,
      output: [{ name: 'Desktop', default: false, viewport: { width: 1280, height: 800 } }],
    },
    {
      title: 'What a page takes the browser for when nothing is said',
      query: 'devices || filter "default" || table name viewport.isMobile',
      output: [{ name: 'iPhone 17', viewport: { isMobile: true } }],
    },
  ],
  source: ({ ingest, devices }) => ingest(devices()),
})
