/** A file that is not what it should be; the message is for whoever sent it. */
export class BadContent extends Error {
  override readonly name = 'BadContent'
}
