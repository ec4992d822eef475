// Shows the messages of an event that the site pushes (tournament/subscriptions/pushes.py).
self.addEventListener("push", (event) => {
  const told = event.data.json();
  const options = { body: told.body, tag: told.url, data: told.url };
  event.waitUntil(self.registration.showNotification(told.title, options));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
