import type { Call } from './call.ts'
import { categories, centsOn, findProduct } from './data.ts'
import { Markup, markup } from './markup.ts'
import { categoryRecord } from './records.ts'
import { type Reply, xmlReply } from './reply.ts'
import type { Router } from './router.ts'
import type { State } from './state.ts'

const ENVELOPE = 'http://schemas.xmlsoap.org/soap/envelope/'
const NAMESPACE = 'urn:forage:demo:shop'
const TYPE = 'text/xml; charset=utf-8'

/** Answered as a SOAP fault: the code says whose mistake it was. */
class Fault extends Error {
  readonly code: 'Client' | 'VersionMismatch'
  readonly detail: Markup | undefined

  constructor(code: 'Client' | 'VersionMismatch', message: string, detail?: Markup) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

export function soapRoutes(router: Router, state: State): void {
  router.get(
    '/soap',
    'the service as WSDL, at `/soap?wsdl`',
    call => xmlReply(wsdl(`${call.origin}/soap`), TYPE),
    '/soap?wsdl',
  )
  router.post(
    '/soap',
    'SOAP 1.1: `GetPrice` (productId), `ListCategories`; a fault for a product that does not exist',
    call => serve(call, state),
  )
}

async function serve(call: Call, state: State): Promise<Reply> {
  const text = (await call.body()).toString()
  try {
    return envelope(run(text, state.dayOf(call), call.origin), 200)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const detail = error.detail && markup`<detail>${error.detail}</detail>`
    return envelope(
      markup`<soap:Fault><faultcode>soap:${error.code}</faultcode><faultstring>${error.message}</faultstring>${detail}</soap:Fault>`,
      500,
    )
  }
}

function envelope(content: Markup, status: number): Reply {
  return xmlReply(
    markup`<soap:Envelope xmlns:soap="${ENVELOPE}" xmlns:tns="${NAMESPACE}"><soap:Body>${content}</soap:Body></soap:Envelope>`,
    TYPE,
    {},
    status,
  )
}

function run(text: string, day: number, origin: string): Markup {
  const body = elementText(text, 'Body')
  if (body === undefined) throw new Fault('Client', 'the request has no soap:Body')
  if (!text.includes(ENVELOPE)) throw new Fault('VersionMismatch', 'this service speaks SOAP 1.1')
  const method = /<(?:[\w.-]+:)?([\w.-]+)/.exec(body)?.[1]
  if (method === 'GetPrice') return getPrice(elementText(body, 'productId')?.trim() ?? '', day)
  if (method === 'ListCategories') return listCategories(origin)
  throw new Fault('Client', `there is no method ${method ?? ''}`.trim())
}

/** What is inside the first element of that name, whatever its prefix; good enough for the two requests of this service. */
function elementText(xml: string, name: string): string | undefined {
  return new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:[\\w.-]+:)?${name}\\s*>`).exec(
    xml,
  )?.[1]
}

function getPrice(id: string, day: number): Markup {
  const product = findProduct(id)
  if (!product)
    throw new Fault(
      'Client',
      `there is no product ${id}`,
      markup`<tns:UnknownProduct><productId>${id}</productId></tns:UnknownProduct>`,
    )
  const price = (centsOn(product, day) / 100).toFixed(2)
  return markup`<tns:GetPriceResponse><productId>${product.id}</productId><name>${product.name}</name><price>${price}</price><currency>USD</currency></tns:GetPriceResponse>`
}

function listCategories(origin: string): Markup {
  const list = categories.map(category => categoryRecord(category, origin))
  return markup`<tns:ListCategoriesResponse>${list.map(({ slug, title, products }) => markup`<category><slug>${slug}</slug><title>${title}</title><products>${products}</products></category>`)}</tns:ListCategoriesResponse>`
}

function wsdl(address: string): Markup {
  return markup`<definitions name="Shop" targetNamespace="${NAMESPACE}" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tns="${NAMESPACE}" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
${TYPES}
${['GetPrice', 'ListCategories'].map(
  name => markup`<message name="${name}Input"><part name="parameters" element="tns:${name}"/></message>
<message name="${name}Output"><part name="parameters" element="tns:${name}Response"/></message>
`,
)}<message name="UnknownProductFault"><part name="fault" element="tns:UnknownProduct"/></message>
<portType name="ShopPort">
<operation name="GetPrice"><documentation>The price of a product today.</documentation><input message="tns:GetPriceInput"/><output message="tns:GetPriceOutput"/><fault name="UnknownProduct" message="tns:UnknownProductFault"/></operation>
<operation name="ListCategories"><documentation>All categories.</documentation><input message="tns:ListCategoriesInput"/><output message="tns:ListCategoriesOutput"/></operation>
</portType>
<binding name="ShopBinding" type="tns:ShopPort"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
<operation name="GetPrice"><soap:operation soapAction="${NAMESPACE}:GetPrice"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output><fault name="UnknownProduct"><soap:fault name="UnknownProduct" use="literal"/></fault></operation>
<operation name="ListCategories"><soap:operation soapAction="${NAMESPACE}:ListCategories"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>
</binding>
<service name="ShopService"><port name="ShopPort" binding="tns:ShopBinding"><soap:address location="${address}"/></port></service>
</definitions>`
}

const TYPES = new Markup(`<types><xsd:schema targetNamespace="${NAMESPACE}" elementFormDefault="unqualified">
<xsd:element name="GetPrice"><xsd:complexType><xsd:sequence><xsd:element name="productId" type="xsd:long"/></xsd:sequence></xsd:complexType></xsd:element>
<xsd:element name="GetPriceResponse"><xsd:complexType><xsd:sequence><xsd:element name="productId" type="xsd:int"/><xsd:element name="name" type="xsd:string"/><xsd:element name="price" type="xsd:decimal"/><xsd:element name="currency" type="xsd:string"/></xsd:sequence></xsd:complexType></xsd:element>
<xsd:element name="UnknownProduct"><xsd:complexType><xsd:sequence><xsd:element name="productId" type="xsd:string"/></xsd:sequence></xsd:complexType></xsd:element>
<xsd:element name="ListCategories"><xsd:complexType><xsd:sequence/></xsd:complexType></xsd:element>
<xsd:element name="ListCategoriesResponse"><xsd:complexType><xsd:sequence><xsd:element name="category" type="tns:Category" minOccurs="0" maxOccurs="unbounded"/></xsd:sequence></xsd:complexType></xsd:element>
<xsd:complexType name="Category"><xsd:sequence><xsd:element name="slug" type="xsd:string"/><xsd:element name="title" type="xsd:string"/><xsd:element name="products" type="xsd:int"/></xsd:sequence></xsd:complexType>
</xsd:schema></types>`)
