/** The fleet as a page that people look at: the only door to page/. */

export { pageData, type PageData, type PageSources } from "./pageData.ts";
export { pageHtml } from "./html.ts";
export { servePage, type ServedPage } from "./servePage.ts";
