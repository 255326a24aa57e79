// Looks at a reference page with the browser at a path, and writes what there is to see as JSON: node look.mjs BROWSER URL QUERY…
import puppeteer from "puppeteer-core";

const [executablePath, url, ...queries] = process.argv.slice(2);
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []; // which Chromium demands of root
const browser = await puppeteer.launch({ executablePath, args });

const open = async (viewport, script = true) => {
	const page = await browser.newPage();
	const seen = { requests: [], complaints: [] };
	page.on("request", (request) => seen.requests.push(request.url()));
	page.on("console", (message) => seen.complaints.push(message.text()));
	page.on("pageerror", (error) => seen.complaints.push(String(error)));
	await page.setJavaScriptEnabled(script);
	await page.setViewport(viewport);
	await page.goto(url, { waitUntil: "networkidle0" });
	return { page, seen };
};

// What a reader has before them: what does not fit, and the smallest text.
const measure = (page) =>
	page.evaluate(() => {
		const width = document.documentElement.clientWidth, texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		let smallest = Infinity, across = [];
		while (texts.nextNode()) {
			const range = document.createRange(), parent = texts.currentNode.parentElement;
			range.selectNodeContents(texts.currentNode);
			const box = range.getBoundingClientRect();
			if (!texts.currentNode.data.trim() || box.width === 0 || box.right < 0) continue;
			smallest = Math.min(smallest, parseFloat(getComputedStyle(parent).fontSize));
			if (box.right > width + 0.5 || box.left < 0) across.push(texts.currentNode.data.trim());
		}
		return { width: document.documentElement.scrollWidth, smallest, across };
	});

const visible = (page) =>
	page.evaluate(() => ({
		articles: [...document.querySelectorAll("article")].filter((article) => article.checkVisibility()).map((article) => article.id),
		links: [...document.querySelectorAll("nav [data-entry]")].filter((link) => link.checkVisibility()).map((link) => link.dataset.entry),
		said: document.getElementById("found").textContent,
		form: document.querySelector("form").checkVisibility(),
	}));

try {
	const phone = await open({ width: 360, height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 });
	const wide = await open({ width: 1200, height: 900 });
	const bare = await open({ width: 1200, height: 900 }, false);
	const found = {};
	for (const query of queries) {
		await wide.page.$eval("#query", (field) => field.select());
		await wide.page.keyboard.press("Backspace");
		await wide.page.type("#query", query);
		found[query] = await visible(wide.page);
	}
	const report = {
		phone: { ...(await measure(phone.page)), ...phone.seen },
		wide: { ...(await measure(wide.page)), ...structuredClone(wide.seen) },
		bare: await visible(bare.page),
		found,
		targets: await wide.page.evaluate(() => [...document.querySelectorAll("a[href^='#']")].map((a) => a.hash.slice(1)).filter((id) => !document.getElementById(id))),
	};
	// The page's policy keeps a browser from asking for more, whatever somebody adds to the page. The browser complains of that.
	report.refused = await wide.page.evaluate(() => fetch("/more").then(() => false, () => true));
	process.stdout.write(JSON.stringify(report));
} finally {
	await browser.close();
}
