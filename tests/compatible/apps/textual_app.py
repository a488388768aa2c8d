"""A program of Textual's: panes, a sidebar that slides in and out, text that scrolls."""

from textual.app import App
from textual.widgets import Footer, Placeholder, ScrollView


class Letter(App):
    async def on_load(self):
        await self.bind("b", "view.toggle('sidebar')", "Sidebar")

    async def on_mount(self):
        text = "\n".join(f"line {i} of the letter, café 日本" for i in range(200))
        await self.view.dock(Footer(), edge="bottom")
        await self.view.dock(Placeholder(name="sidebar"), edge="left", size=20, name="sidebar")
        body = ScrollView()
        await self.view.dock(body, edge="right")
        await body.update(text)


Letter.run(title="Letter")
