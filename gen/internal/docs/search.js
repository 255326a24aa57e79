
"use strict";
(() => {
	const form = document.querySelector("form"), query = document.getElementById("query"), found = document.getElementById("found");
	const entries = [...document.querySelectorAll("article")].map((article) => ({
		parts: [article, document.querySelector(`[data-entry="${article.id}"]`)],
		text: article.textContent.toLowerCase(),
	}));
	const search = () => {
		const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
		let matches = 0;
		for (const entry of entries) {
			const hit = words.every((word) => entry.text.includes(word));
			if (hit) matches++;
			for (const part of entry.parts) part.hidden = !hit;
		}
		if (words.length === 0) found.textContent = "";
		else if (matches === 0) found.textContent = `No capability matches “${query.value.trim()}”.`;
		else found.textContent = `${matches} of ${entries.length} capabilities`;
	};
	form.hidden = false; // without this script there is nothing to search with
	form.addEventListener("submit", (event) => event.preventDefault());
	query.addEventListener("input", search);
	search(); // a browser that goes back keeps what was typed
})();
