import { declare } from './declare.ts'

export const licorice = declare('licorice', {
  addLicense: ['Add a license', 'POST', '/v1/licorice/licenses'],
  uploadLicense: ['Upload a license', 'POST', '/v1/licorice/licenses/upload'],
})

export const mentos = declare('mentos', {
  createStream: ['Create a stream', 'POST', '/v1/mentos/streams'],
  writeStream: ['Write to a stream', 'POST', '/v1/mentos/streams/write'],
})

export const deliveryAdditions = {
  ...declare('licorice', { listLicenses: ['Retrieve all licenses', 'GET', '/v1/licorice/licenses'] }, true),
  ...declare(
    'mentos',
    {
      listStreams: ['Retrieve all streams', 'GET', '/v1/mentos/streams'],
      deleteStream: ['Delete a stream', 'DELETE', '/v1/mentos/streams/{name}'],
    },
    true,
  ),
}
