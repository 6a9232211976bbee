// Keeps the app on the phone, so that it opens without a connection. Requests to the API pass through.
const FILES = ["./", "index.html", "app.js"];
addEventListener("install", (event) => event.waitUntil(caches.open("app").then((cache) => cache.addAll(FILES))));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (new URL(event.request.url).pathname.includes("/api/")) return;
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreSearch: true })));
});
