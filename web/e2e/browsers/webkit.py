#!/usr/bin/python3
"""A window with WebKit for WebDriver. It prints the messages of the console, errors and violations of the content
security policy among them, which the MiniBrowser of Debian keeps to itself when it is driven.

usage: webkit.py DIRECTORY PROXY
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

directory, proxy = sys.argv[1:3]

# Only a session that is kept on disk prints its messages.
data = WebKit2.WebsiteDataManager(base_data_directory=directory, base_cache_directory=directory)
data.set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(proxy, ["127.0.0.1"])
)
context = WebKit2.WebContext.new_with_website_data_manager(data)
context.set_automation_allowed(True)
view = WebKit2.WebView(
    web_context=context,
    is_controlled_by_automation=True,
    settings=WebKit2.Settings(
        enable_write_console_messages_to_stdout=True,
        hardware_acceleration_policy=WebKit2.HardwareAccelerationPolicy.NEVER,  # it would be emulated
    ),
)
window = Gtk.Window(default_width=1440, default_height=900)
window.add(view)
view.connect("close", Gtk.main_quit)
window.show_all()


def started(_, session):
    session.connect("create-web-view", lambda _: view)


context.connect("automation-started", started)
Gtk.main()
