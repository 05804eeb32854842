import { command } from './command.ts'
import { connectionFlags, metaFlag, requestFlags } from './http/flags.ts'
import { SoapJob } from './http/soap/soap-job.ts'

const [headersFlag, useragentFlag, bearerFlag, basicFlag] = requestFlags

export default command({
  name: 'soap',
  kind: 'expand',
  group: 'get',
  summary: 'Calls a method of a SOAP service; the result is a row',
  help: [
    'The description of the service (WSDL 1.1, with what it imports) tells where the method is called, in which version of SOAP (1.1 or 1.2), under which namespace and `SOAPAction`. It is fetched once for all rows of a query.',
    '',
    'An object becomes the elements of the request, in the order that the schema wants; a list repeats its element, a key with `@` in front is an attribute, null is `xsi:nil`. XML is sent as it is, in an envelope unless it is one.',
    '',
    'The result is a row: names without their prefixes, numbers and booleans by the types of the schema, a list wherever the schema allows several. A fault is a failure of the row with its code and message. Calls are never cached, nor sent again by themselves once the service may have got them.',
    '',
    'Headers and credentials go to the host of the WSDL; if the service is on another one, name it with `--endpoint`.',
  ].join('\n'),
  arguments: [
    {
      name: 'body',
      type: 'json',
      orText: true,
      secret: true,
      help: 'What the method is given: an object, or XML.',
    },
  ],
  flags: [
    { name: 'wsdl', type: 'url', secret: true, help: 'The address of the description of the service.' },
    { name: 'method', type: 'text', help: 'The method to call.' },
    { name: 'security.bearer', type: 'text', secret: true, help: bearerFlag.help },
    { name: 'security.basic', type: 'text', secret: true, help: basicFlag.help },
    { name: 'port', type: 'text', help: 'The port of the service, where the method is in several.' },
    {
      name: 'endpoint',
      type: 'url',
      secret: true,
      help: 'The address to call in place of the one in the WSDL.',
    },
    headersFlag,
    useragentFlag,
    ...connectionFlags,
    metaFlag,
  ],
  volatile: true,
  examples: [
    {
      title: 'A price',
      query: 'soap {productId: 1} --wsdl http://localhost:1969/soap?wsdl --method GetPrice',
      output: [{ productId: 1, name: 'Kestrel Mini', price: 702, currency: 'USD' }],
    },
    {
      title: 'A list in the answer',
      query:
        'soap {} --wsdl http://localhost:1969/soap?wsdl --method ListCategories || normalize category || head 2',
      output: [
        { slug: 'laptops', title: 'Laptops', products: 24 },
        { slug: 'phones', title: 'Phones', products: 24 },
      ],
    },
    {
      title: 'A fault is a failure of the row',
      input: [{ id: 1 }, { id: 999 }],
      query:
        'soap {productId: "$id$"} --wsdl http://localhost:1969/soap?wsdl --method GetPrice || table price _error.code',
      output: [{ price: 702 }, { _error: { code: 'soap_fault' } }],
    },
  ],
  expand: context => new SoapJob(context).rows(),
})
