import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test'
import { startDemo } from '../../demo/server.ts'
import { isMutation, operationsIn } from '../../src/commands/http/graphql-document.ts'
import type { Row } from '../../src/language/json.ts'
import { read, serve } from './local-server.ts'
import { NetworkHarness } from './network-harness.ts'

const harness = new NetworkHarness()
const demo = await startDemo({ port: 0 })
before(() => harness.open())
after(async () => {
  await harness.close()
  await demo.close()
})
beforeEach(() => fetch(`${demo.url}/reset`, { method: 'POST' }))

const run = (query: string) => harness.run(query.replaceAll('DEMO', demo.url))
const rows = async (query: string) => (await run(query)).rows

const replyJson = (context: TestContext, body: unknown, status = 200, seen: string[] = []) =>
  serve(context, async (request, response) => {
    seen.push(await read(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

describe('graphql', () => {
  it('rows are a list, an object, or several fields', async () => {
    const slugs = await rows("graphql DEMO/graphql '{ categories { slug } }'")
    assert.deepEqual([slugs.length, slugs[0]], [5, { slug: 'laptops' }])
    assert.deepEqual(await rows("graphql DEMO/graphql '{ product(id: 1) { id name } }'"), [
      { id: 1, name: 'Kestrel Mini' },
    ])
    assert.deepEqual(await rows("graphql DEMO/graphql '{ day other: day }'"), [{ day: 0, other: 0 }])
    assert.deepEqual(await rows("graphql DEMO/graphql '{ day }'"), [{ day: 0 }])
  })

  it('--rows goes through lists', async () => {
    const query = "'{ products(first: 2) { totalCount edges { cursor node { id } } } }'"
    assert.deepEqual(await rows(`graphql DEMO/graphql ${query} --rows products.edges.node`), [
      { id: 1 },
      { id: 2 },
    ])
    assert.deepEqual(await rows(`graphql DEMO/graphql ${query} --rows products.edges.1.node.id`), [
      { value: 2 },
    ])
    assert.deepEqual(await rows(`graphql DEMO/graphql ${query} --rows products.none`), [])
    assert.deepEqual(await rows(`graphql DEMO/graphql ${query} || table totalCount`), [{ totalCount: 120 }])
  })

  it('variables keep the types of the row, and are sent with the operation', async context => {
    const seen: string[] = []
    const url = await replyJson(context, { data: { ok: true } }, 200, seen)
    await run(
      `seed {id: 9007199254740993, on: true} || graphql ${url} 'query A { ok } query B { ok }' --operation B --variables '{id: "$id$", on: "$on$"}'`,
    )
    assert.match(seen[0]!, /"variables":\{"id":9007199254740993,"on":true\},"operationName":"B"/)
  })

  it('goes from page to page by the cursor, and stops where the connection says', async () => {
    const query =
      "'query($after: String) { products(first: 40, after: $after) { pageInfo { hasNextPage endCursor } nodes { id } } }'"
    const paged = `graphql DEMO/graphql ${query} --variables '{after: "$pagination.next$"}' --pagination.next data.products.pageInfo.endCursor --rows products.nodes`
    const { rows: found, warnings } = await run(paged)
    assert.deepEqual([found.length, found[119], warnings], [120, { id: 120 }, []])
    const capped = await run(`${paged} --pagination.max 2`)
    assert.deepEqual([capped.rows.length, capped.warnings[0]?.code], [80, 'pagination_max'])
    await assert.rejects(
      run(`graphql DEMO/graphql ${query} --pagination.next data.products.pageInfo.endCursor`),
      /used nowhere.*--variables/,
    )
  })

  it('errors fail the row, with any status and beside data', async context => {
    await assert.rejects(run("graphql DEMO/graphql '{ nope }'"), /Cannot query field "nope"/)
    await assert.rejects(
      run("graphql DEMO/graphql '{ product(id: 999) { id } }'"),
      /no product 999\. \(at product\)/,
    )
    const refused = await replyJson(context, { errors: [{ message: 'not you' }] }, 401)
    await assert.rejects(run(`graphql ${refused} '{ a }'`), /GraphQL says: not you/)
    await assert.rejects(
      run(`graphql ${await replyJson(context, { a: 1 })} '{ a }'`),
      /neither data nor errors/,
    )
    await assert.rejects(run("graphql DEMO/status/404 '{ a }'"), /status 404/)
    await assert.rejects(run("graphql DEMO/graphql 'subscription { a }'"), /subscription has no end/)
  })

  it('a query is tried again, a mutation is not and carries a key', async context => {
    const keys: (string | undefined)[] = []
    let left = 1
    const url = await serve(context, (request, response) => {
      keys.push(request.headers['idempotency-key'] as string | undefined)
      response.writeHead(left-- > 0 ? 500 : 200, { 'content-type': 'application/json' })
      response.end('{"data": {"ok": true}}')
    })
    assert.deepEqual(await rows(`graphql ${url} '{ ok }'`), [{ ok: true }])
    assert.deepEqual(keys, [undefined, undefined])
    left = 1
    await assert.rejects(run(`graphql ${url} 'mutation { ok }'`), /status 500/)
    assert.equal(keys.length, 3)
    assert.match(keys[2]!, /\.0\.0\.0$/)
  })

  it('knows a mutation when it sees one', () => {
    assert.deepEqual(operationsIn('{ a }'), ['query'])
    assert.deepEqual(operationsIn('query Q($mutation: Int = 1) @x { mutation } fragment F on T { b }'), [
      'query',
    ])
    assert.deepEqual(operationsIn('# mutation { x }\nquery { a(t: "} mutation {") { b } }'), ['query'])
    assert.equal(isMutation('query A { a } mutation B { b { c } }'), true)
    assert.equal(isMutation('query Mutation { mutation { a } }'), false)
  })
})

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
const ENVELOPE_12 = 'http://www.w3.org/2003/05/soap-envelope'

/** A service in several documents: qualified elements, an extended type, rpc beside document, SOAP 1.2. */
const MAIN = (address: string) => `<?xml version="1.0"?>
<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:s12="http://schemas.xmlsoap.org/wsdl/soap12/" xmlns:s="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:t="urn:t" xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">
<w:import namespace="urn:t" location="parts.wsdl"/>
<w:binding name="B12" type="t:P"><s12:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
<w:operation name="Find"><s12:operation soapAction="urn:t/Find"/><w:input><s12:body use="literal"/></w:input><w:output><s12:body use="literal"/></w:output></w:operation></w:binding>
<w:binding name="B11" type="t:P"><s:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
<w:operation name="Add"><s:operation soapAction="urn:t/Add"/><w:input><s:body use="literal" namespace="urn:rpc"/></w:input><w:output><s:body use="literal" namespace="urn:rpc"/></w:output></w:operation></w:binding>
<w:service name="S"><w:port name="P12" binding="t:B12"><s12:address location="${address}/call"/></w:port><w:port name="P11" binding="t:B11"><s:address location="${address}/call"/></w:port></w:service>
</w:definitions>`
const PARTS = `<w:definitions xmlns:w="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:t" xmlns:x="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:t">
<w:types><x:schema targetNamespace="urn:t"><x:include schemaLocation="types.xsd"/></x:schema></w:types>
<w:message name="FindIn"><w:part name="p" element="t:Find"/></w:message><w:message name="FindOut"><w:part name="p" element="t:Found"/></w:message>
<w:message name="AddIn"><w:part name="a" type="x:int"/><w:part name="b" type="x:int"/></w:message><w:message name="AddOut"><w:part name="sum" type="x:long"/></w:message>
<w:portType name="P"><w:operation name="Find"><w:input message="t:FindIn"/><w:output message="t:FindOut"/></w:operation><w:operation name="Add"><w:input message="t:AddIn"/><w:output message="t:AddOut"/></w:operation></w:portType>
</w:definitions>`
const TYPES = `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" elementFormDefault="qualified">
<complexType name="Base"><sequence><element name="first" type="string"/><element name="when" type="date" minOccurs="0"/></sequence></complexType>
<complexType name="Order"><complexContent><extension base="t:Base"><sequence><element name="item" type="t:Item" maxOccurs="unbounded"/><element name="last" type="boolean"/></sequence></extension></complexContent></complexType>
<complexType name="Item"><simpleContent><extension base="decimal"><attribute name="unit" type="string"/></extension></simpleContent></complexType>
<element name="Find"><complexType><sequence><element name="order" type="t:Order"/></sequence></complexType></element>
<simpleType name="Count"><restriction base="long"/></simpleType>
<element name="Found"><complexType><sequence><element name="count" type="t:Count"/><element name="ok" type="boolean"/><element name="hit" maxOccurs="unbounded"><complexType><sequence><element name="n" type="int"/></sequence></complexType></element><element name="gone" type="string" nillable="true"/></sequence></complexType></element>
</schema>`

interface Call {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

async function service(context: TestContext, answer: (call: Call) => string, status = 200) {
  const calls: Call[] = []
  const fetched: string[] = []
  const url = await serve(context, async (request, response) => {
    const files: Record<string, string> = { '/s.wsdl': MAIN(url), '/parts.wsdl': PARTS, '/types.xsd': TYPES }
    const path = request.url!
    response.setHeader('content-type', 'text/xml')
    if (path in files) {
      fetched.push(path)
      return void response.end(files[path])
    }
    const call = { path, headers: request.headers, body: await read(request) }
    calls.push(call)
    response.writeHead(status).end(answer(call))
  })
  return { url, calls, fetched }
}

const envelope = (content: string, namespace = ENVELOPE) =>
  `<e:Envelope xmlns:e="${namespace}"><e:Body>${content}</e:Body></e:Envelope>`

describe('soap', () => {
  it('calls the demo shop, with a fault as the error of its row', async () => {
    const found = await rows(
      'seed [{id: 1}, {id: 999}] || soap {productId: "$id$"} --wsdl DEMO/soap?wsdl --method GetPrice',
    )
    assert.deepEqual(found[0], { productId: 1, name: 'Kestrel Mini', price: 702, currency: 'USD' })
    assert.deepEqual(found[1]!.id, 999)
    const { code, message } = found[1]!._error as Row
    assert.equal(code, 'soap_fault')
    assert.match(String(message), /^soap:Client: there is no product 999/)
  })

  it('takes XML, bare or in an envelope, and the element of the method', async () => {
    const call = (body: string) =>
      rows(`soap ${body} --wsdl DEMO/soap?wsdl --method GetPrice || table productId`)
    assert.deepEqual(await call('{GetPrice: {productId: 2}}'), [{ productId: 2 }])
    assert.deepEqual(
      await call(`'<t:GetPrice xmlns:t="urn:forage:demo:shop"><productId>3</productId></t:GetPrice>'`),
      [{ productId: 3 }],
    )
    const whole = `'<s:Envelope xmlns:s="${ENVELOPE}"><s:Body><GetPrice xmlns="urn:forage:demo:shop"><productId xmlns="">4</productId></GetPrice></s:Body></s:Envelope>'`
    assert.deepEqual(await call(whole), [{ productId: 4 }])
    await assert.rejects(call('"no xml"'), /must be an object, or XML/)
    await assert.rejects(call(`'{"a b": 1}'`), /"a b" cannot be the name/)
  })

  it('writes elements in the order and namespaces of the schema, in SOAP 1.2', async context => {
    const answer =
      '<f:Found xmlns:f="urn:t" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><f:count>9007199254740993</f:count><f:ok>1</f:ok><f:hit><f:n>1</f:n></f:hit><f:gone i:nil="true"/></f:Found>'
    const { url, calls, fetched } = await service(context, () => envelope(answer, ENVELOPE_12))
    const body = `'{"order": {"last": true, "extra": "<&>", "item": [{"@unit": "kg", "textContent": 1.5}, 2], "first": "x"}}'`
    const found = await rows(`soap ${body} --wsdl ${url}/s.wsdl --method Find --security.bearer tok`)
    assert.deepEqual(found, [{ count: 9007199254740993n, ok: true, hit: [{ n: 1 }] }])
    assert.deepEqual(fetched, ['/s.wsdl', '/parts.wsdl', '/types.xsd'])
    const [call] = calls
    assert.match(
      call!.body,
      /<Find xmlns="urn:t"><order><first>x<\/first><item unit="kg">1.5<\/item><item>2<\/item><last>true<\/last><extra>&lt;&amp;&gt;<\/extra><\/order><\/Find>/,
    )
    assert.ok(call!.body.includes(ENVELOPE_12))
    assert.equal(call!.headers['content-type'], 'application/soap+xml; charset=utf-8; action="urn:t/Find"')
    assert.equal(call!.headers.authorization, 'Bearer tok')
  })

  it('calls rpc methods, and fetches the description once for all rows', async context => {
    const { url, calls, fetched } = await service(context, () =>
      envelope('<r:AddResponse xmlns:r="urn:rpc"><sum>3</sum></r:AddResponse>'),
    )
    const found = await rows(`range 1 3 n || soap {b: 2, a: "$n$"} --wsdl ${url}/s.wsdl --method Add`)
    assert.deepEqual(found, [{ sum: 3 }, { sum: 3 }, { sum: 3 }])
    assert.equal(fetched.length, 3)
    assert.match(calls[0]!.body, /<Add xmlns="urn:rpc"><a xmlns="">\d<\/a><b xmlns="">2<\/b><\/Add>/)
    assert.equal(calls[0]!.headers.soapaction, '"urn:t/Add"')
    assert.equal(new Set(calls.map(call => call.headers['idempotency-key'])).size, 3)
  })

  it('tells the fault of SOAP 1.2, and what is no SOAP', async context => {
    const fault =
      '<e:Fault><e:Code><e:Value>e:Receiver</e:Value></e:Code><e:Reason><e:Text xml:lang="en">too busy</e:Text></e:Reason><e:Detail><why>night</why></e:Detail></e:Fault>'
    const failing = await service(context, () => envelope(fault, ENVELOPE_12), 500)
    await assert.rejects(
      run(`soap {} --wsdl ${failing.url}/s.wsdl --method Find`),
      /e:Receiver: too busy \(night\)/,
    )
    const other = await service(context, () => '<html/>')
    await assert.rejects(run(`soap {} --wsdl ${other.url}/s.wsdl --method Find`), /no SOAP envelope/)
  })

  it('says what is missing or not there', async context => {
    const { url } = await service(context, () => envelope(''))
    await assert.rejects(run(`soap {} --wsdl ${url}/s.wsdl --method Fnd`), /no method Fnd.*Find, Add/)
    await assert.rejects(run(`soap {} --wsdl ${url}/s.wsdl --method Add --port P12`), /no method Add.*Find\./)
    await assert.rejects(run(`soap {} --wsdl ${url}/s.wsdl --method Add --port Q`), /no port Q.*P12, P11/)
    await assert.rejects(run(`soap {} --wsdl ${url}/s.wsdl`), /--method/)
    await assert.rejects(run('soap {} --method Find'), /--wsdl/)
    await assert.rejects(run('soap {} --wsdl DEMO/data/products.xml --method Find'), /no WSDL 1\.1/)
    await assert.rejects(run('soap {} --wsdl DEMO/status/404 --method Find'), /status 404/)
  })

  it('sends credentials to no other host than the one of the WSDL, unless told', async context => {
    const { url, calls } = await service(context, () =>
      envelope('<Found xmlns="urn:t"><count>1</count></Found>', ENVELOPE_12),
    )
    const local = url.replace('127.0.0.1', 'localhost')
    const call = `soap {} --wsdl ${local}/s.wsdl --method Find --security.bearer tok`
    await assert.rejects(run(call), /another host, 127\.0\.0\.1.*--endpoint/)
    assert.equal(calls.length, 0)
    assert.deepEqual(await rows(`${call} --endpoint ${url}/other || table count`), [{ count: 1 }])
    assert.equal(calls[0]!.path, '/other')
  })
})
