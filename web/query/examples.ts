export interface QueryExample {
  readonly title: string
  readonly about: string
  readonly query: string
}

/** Ten queries on the demo site, each another way of working. */
export const examplesOn = (site: string): readonly QueryExample[] => [
  {
    title: 'Prices of the shop',
    about: 'Opens the shop in a browser and makes a table of names and prices, ready for a chart.',
    query: String.raw`open ${site}/shop --selector ".product"
|| extract innerText "(?<category>\S+)\s+(?<name>[^\n]+)[\s\S]*\$(?<price>[\d,.]+)"
|| eval price "number(price)"
|| lower category
|| table name category price
|| sort price --order descending`,
  },
  {
    title: 'An API, page by page',
    about: 'Follows the pointer to the next page to the end, then compares the categories.',
    query: `api get ${site}/api/products --pagination.next next --pagination.max 0
|| normalize items
|| stats "count() as products, avg(price) as average, min(price) as lowest, max(price) as highest" --by category
|| round average 2
|| sort average`,
  },
  {
    title: 'A call for each row',
    about: 'Asks for the details of each laptop, and keeps its name and price beside every review.',
    query: `api get ${site}/api/products?category=laptops&size=24
|| normalize items
|| table id name price
|| api get ${site}/api/products/$id$ --enrich --table "name price reviews"
|| normalize reviews`,
  },
  {
    title: 'Orders by month',
    about: 'A year of orders as a time chart: what each category brought in, month by month.',
    query: `api get ${site}/api/orders
|| timechart 1mo "sum(total) as revenue" --time placed --by category`,
  },
  {
    title: 'What a page loads',
    about: 'Every request of a page in the browser, with its timing: a waterfall, and one that fails.',
    query: `requests ${site}/thirdparty`,
  },
  {
    title: 'Behind a login',
    about: 'Fills in the form, signs in, and opens the account with the cookies that it got.',
    query: `form ${site}/login --fill "#user=demo" --fill "#password=forage" --submit "#submit"
|| open ${site}/account --cookieStorage $cookieStorage$ --selector "h1, p, td" --table "nodeName innerText"`,
  },
  {
    title: 'Pictures of pages',
    about: 'Finds the categories in the sitemap and takes a screenshot of each.',
    query: `sitemap ${site}/sitemap.xml
|| filter "loc =~ '/shop/[a-z]+$'"
|| screenshot $loc$ --device Desktop --enrich`,
  },
  {
    title: 'Through the whole site',
    about: 'Follows the links from page to page and says what it found, and how long each text is.',
    query: `crawl ${site}/shop --depth 3 --pages 250
|| eval letters "len(text)"
|| table title status depth letters url`,
  },
  {
    title: 'News from a feed',
    about: 'Reads an RSS feed and finds the price in each summary.',
    query: String.raw`feed ${site}/feed.rss
|| extract summary "\$(?<price>[\d,]+\.\d+)"
|| eval price "number(price)"
|| table published title price link`,
  },
  {
    title: 'What has changed',
    about:
      'The first run remembers every price. Then write day=1 for day=0, run again, and see the difference.',
    query: `api get ${site}/api/products?day=0 --pagination.next next --pagination.max 0
|| normalize items
|| table id name price
|| diff demo-prices --key id`,
  },
]
