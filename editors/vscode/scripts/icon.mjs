// Draws media/icon.png from media/icon.svg with Chromium (CHROMIUM, or /usr/bin/chromium).
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
await page.setContent(`<style>body { margin: 0 }</style>${readFileSync('media/icon.svg', 'utf8')}`);
await page.screenshot({ path: 'media/icon.png', omitBackground: true });
await browser.close();
