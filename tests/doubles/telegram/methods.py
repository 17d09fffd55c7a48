"""The methods of the Bot API that the double knows; whatever else is asked is refused."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.doubles.telegram.entities import CAPTION, Json, commands, keyboard, parsed, units, written
from tests.doubles.telegram.refusals import NOT_MODIFIED, TOO_OLD, bad
from tests.doubles.telegram.world import DEFAULT_UPDATES, Chat, Hook, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.doubles.telegram.world import TelegramWorld

ACTIONS = {"typing", "upload_photo", "upload_document", "record_voice", "upload_voice", "find_location"}
REACTIONS = set(
    "👍👎❤🔥🥰👏😁🤔🤯😱🤬😢🎉🤩🙏👌🕊🤡🥱🥴😍🐳🌚🌭💯🤣🍌🏆💔🤨😐🍓🍾💋😈😴"
    "😭🤓👻👀🎃🙈😇😨🤝🤗🫡🎅🎄💅🤪🗿🆒💘🙉🦄😘💊🙊😎👾😡"
)
UPLOAD, PHOTO, DOWNLOAD = 50 << 20, 10 << 20, 20 << 20
KINDS = DEFAULT_UPDATES | {"message_reaction", "message_reaction_count", "chat_member"}
DELETABLE = 48 * 3600
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}\Z")
_OPTIONS = {
    "disable_notification", "protect_content", "link_preview_options", "reply_parameters", "reply_markup",
    "message_effect_id", "message_thread_id", "allow_paid_broadcast",
}  # fmt: skip

TAKES: dict[str, set[str]] = {
    "getMe": set(),
    "getUpdates": {"offset", "limit", "timeout", "allowed_updates"},
    "setWebhook": {"url", "max_connections", "allowed_updates", "drop_pending_updates", "secret_token"},
    "deleteWebhook": {"drop_pending_updates"},
    "getWebhookInfo": set(),
    "sendMessage": {"chat_id", "text", "entities", "parse_mode"} | _OPTIONS,
    "editMessageText": {
        "chat_id", "message_id", "text", "entities", "parse_mode", "link_preview_options", "reply_markup",
    },
    "editMessageReplyMarkup": {"chat_id", "message_id", "reply_markup"},
    "editMessageMedia": {"chat_id", "message_id", "media", "reply_markup", "_files"},
    "editMessageCaption": {"chat_id", "message_id", "caption", "caption_entities", "parse_mode", "reply_markup"},
    "deleteMessage": {"chat_id", "message_id"},
    "sendChatAction": {"chat_id", "action", "message_thread_id"},
    "sendMessageDraft": {"chat_id", "draft_id", "text", "entities", "parse_mode", "message_thread_id", "can_stop"},
    "sendPhoto": {"chat_id", "photo", "caption", "caption_entities", "parse_mode"} | _OPTIONS,
    "sendDocument": {"chat_id", "document", "caption", "caption_entities", "parse_mode"} | _OPTIONS,
    "answerCallbackQuery": {"callback_query_id", "text", "show_alert", "cache_time"},
    "setMessageReaction": {"chat_id", "message_id", "reaction", "is_big"},
    "setMyCommands": {"commands", "scope", "language_code"},
    "getMyCommands": {"scope", "language_code"},
    "deleteMyCommands": {"scope", "language_code"},
    "setMyDescription": {"description", "language_code"},
    "getMyDescription": {"language_code"},
    "setMyShortDescription": {"short_description", "language_code"},
    "getMyShortDescription": {"language_code"},
    "setChatMenuButton": {"chat_id", "menu_button"},
    "getFile": {"file_id"},
    "leaveChat": {"chat_id"},
}  # fmt: skip
"""Every method with the parameters that it takes; another one is a mistake of ours and refused."""


class Methods:
    """Answers calls against the world."""

    def __init__(self, world: TelegramWorld) -> None:
        self.world = world
        self._answers: dict[str, Callable[[Json], Any]] = {
            "getMe": lambda given: self.world.me() | {"can_join_groups": True, "has_topics_enabled": False},
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": self._webhook_info,
            "sendMessage": self._send,
            "editMessageText": self._edit,
            "editMessageReplyMarkup": self._edit_markup,
            "editMessageMedia": self._edit_media,
            "editMessageCaption": self._edit_caption,
            "deleteMessage": self._delete,
            "sendChatAction": self._action,
            "sendMessageDraft": self._draft,
            "sendPhoto": lambda given: self._upload(given, "photo", PHOTO),
            "sendDocument": lambda given: self._upload(given, "document", UPLOAD),
            "answerCallbackQuery": self._answer_tap,
            "setMessageReaction": self._react,
            "setMyCommands": self._set_commands,
            "getMyCommands": lambda given: self.world.commands.get(_scoped(given), []),
            "deleteMyCommands": lambda given: self.world.commands.pop(_scoped(given), None) is not None or True,
            "setMyDescription": lambda given: self._describe(given, "description", 512),
            "getMyDescription": lambda given: self._described(given, "description"),
            "setMyShortDescription": lambda given: self._describe(given, "short_description", 120),
            "getMyShortDescription": lambda given: self._described(given, "short_description"),
            "setChatMenuButton": lambda given: True,
            "getFile": self._file,
            "leaveChat": self._leave,
        }

    def call(self, method: str, given: Json) -> Any:
        """The result of a call; raises `Refusal`."""
        unknown = set(given) - TAKES[method]
        if unknown:
            raise bad(f"{method} takes no {sorted(unknown)}")
        result = self._answers[method](given)
        message = result.get("message_id", 0) if isinstance(result, dict) else given.get("message_id", 0)
        self.world.note(method, int(given.get("chat_id") or 0), int(message or 0), given)
        return result

    # messages

    def _send(self, given: Json) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        text, marks = written(given)
        return self.world.post(chat, _content(text, marks) | self._reply(chat, given) | _markup(keyboard(given)))

    def _reply(self, chat: Chat, given: Json) -> Json:
        asked = parsed("reply_parameters", given)
        if not asked:
            return {}
        target = chat.messages.get(int(asked["message_id"]))
        if target is None:
            if asked.get("allow_sending_without_reply"):
                return {}
            raise bad("message to be replied not found")
        if asked.get("quote") and asked["quote"] not in text_of(target):
            raise bad("QUOTE_TEXT_INVALID")
        return {"reply_to_message": {key: value for key, value in target.items() if key != "reply_to_message"}}

    def _edit(self, given: Json) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        message = self.world.own(chat, given.get("message_id"), "edit")
        if "text" not in message:
            raise bad("there is no text in the message to edit")
        text, marks = written(given)
        return self._replace(message, _content(text, marks) | _markup(keyboard(given)))

    def _edit_markup(self, given: Json) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        message = self.world.own(chat, given.get("message_id"), "edit")
        kept = {key: message[key] for key in ("text", "entities", "photo", "caption", "document") if key in message}
        return self._replace(message, kept | _markup(keyboard(given)))

    def _edit_caption(self, given: Json) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        message = self.world.own(chat, given.get("message_id"), "edit")
        if "text" in message:
            raise bad("there is no caption in the message to edit")
        caption, marks = written(given, CAPTION, text="caption", entities="caption_entities")
        kept = {key: message[key] for key in ("photo", "document") if key in message}
        return self._replace(message, kept | _content(caption, marks, "caption") | _markup(keyboard(given)))

    def _edit_media(self, given: Json) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        message = self.world.own(chat, given.get("message_id"), "edit")
        media = parsed("media", given)
        if not isinstance(media, dict) or media.get("type") not in {"photo", "document"}:
            raise bad("can't parse InputMedia")
        caption, marks = written(
            media | {"caption_entities": _dumped(media.get("caption_entities"))},
            CAPTION,
            text="caption",
            entities="caption_entities",
        )
        source = str(media["media"])
        data = given.get("_files", {}).get(source.removeprefix("attach://"), source)
        carried = self._carried(str(media["type"]), data, UPLOAD)
        return self._replace(message, carried | _content(caption, marks, "caption") | _markup(keyboard(given)))

    def _replace(self, message: Json, content: Json) -> Json:
        fixed = ("message_id", "date", "chat", "from", "reply_to_message")
        before = {key: value for key, value in message.items() if key not in {*fixed, "edit_date"}}
        if before == content:
            raise NOT_MODIFIED
        for key in before:
            del message[key]
        message |= content | {"edit_date": self.world.now()}
        return message

    def _delete(self, given: Json) -> bool:
        chat = self.world.chat(given.get("chat_id"))
        message = chat.messages.get(int(given.get("message_id") or 0))
        if message is None:
            raise bad("message to delete not found")
        if self.world.now() - int(message["date"]) > DELETABLE:
            raise bad("message can't be deleted for everyone")
        del chat.messages[int(message["message_id"])]
        return True

    def _action(self, given: Json) -> bool:
        self.world.chat(given.get("chat_id"))
        if given.get("action") not in ACTIONS:
            raise bad("wrong parameter action in request")
        return True

    def _draft(self, given: Json) -> bool:
        chat = self.world.chat(given.get("chat_id"))
        if chat.kind != "private":
            raise bad("drafts can be sent only to private chats")
        if not int(given.get("draft_id") or 0):
            raise bad("DRAFT_ID_INVALID")
        if given.get("text"):
            written(given)
        chat.draft = dict(given)
        return True

    # files

    def _upload(self, given: Json, kind: str, limit: int) -> Json:
        chat = self.world.chat(given.get("chat_id"))
        caption, marks = written(given, CAPTION, text="caption", entities="caption_entities")
        carried = self._carried(kind, given.get(kind), limit)
        extra = self._reply(chat, given) | _markup(keyboard(given))
        return self.world.post(chat, carried | _content(caption, marks, "caption") | extra)

    def _carried(self, kind: str, data: Any, limit: int) -> Json:
        if isinstance(data, tuple):
            name, content = data
            if len(content) > limit:
                raise bad("file is too big")
            if not content:
                raise bad("file must be non-empty")
            if kind == "photo" and not content.startswith((b"\x89PNG", b"\xff\xd8")):
                raise bad("IMAGE_PROCESS_FAILED")
            kept = self.world.keep_file(content, name)
        elif data in self.world.files:
            name, kept = "again", {"file_id": data, "file_unique_id": "again", "file_size": self.world.files[data][2]}
        else:
            raise bad("wrong remote file identifier specified: Wrong string length")
        return (
            {"photo": [kept | {"width": 800, "height": 200}]}
            if kind == "photo"
            else {"document": kept | {"file_name": name, "mime_type": "application/octet-stream"}}
        )

    def _file(self, given: Json) -> Json:
        found = self.world.files.get(str(given.get("file_id")))
        if found is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        path, _, size = found
        if size > DOWNLOAD:
            raise bad("file is too big")
        return {"file_id": given["file_id"], "file_unique_id": "one", "file_size": size, "file_path": path}

    # taps, reactions, presence

    def _answer_tap(self, given: Json) -> bool:
        until = self.world.taps.pop(str(given.get("callback_query_id")), None)
        if until is None or until < self.world.clock.monotonic():
            raise TOO_OLD
        if len(given.get("text", "")) > 200:
            raise bad("MESSAGE_TOO_LONG")
        self.world.toasts.append((str(given["callback_query_id"]), str(given.get("text", ""))))
        return True

    def _react(self, given: Json) -> bool:
        chat = self.world.chat(given.get("chat_id"))
        number = int(given.get("message_id") or 0)
        if number not in chat.messages:
            raise bad("message to react not found")
        asked = parsed("reaction", given) or []
        if len(asked) > 1:
            raise bad("REACTIONS_TOO_MANY")
        emoji = [str(one.get("emoji")) for one in asked]
        if not set(emoji) <= REACTIONS:
            raise bad("REACTION_INVALID")
        self.world.reactions[chat.id, number] = emoji
        return True

    def _set_commands(self, given: Json) -> bool:
        self.world.commands[_scoped(given)] = commands(given)
        return True

    def _describe(self, given: Json, what: str, limit: int) -> bool:
        said = str(given.get(what, ""))
        if units(said) > limit:
            raise bad(f"{what} is too long")
        self.world.about[what, str(given.get("language_code", ""))] = said
        return True

    def _described(self, given: Json, what: str) -> Json:
        about, language = self.world.about, str(given.get("language_code", ""))
        return {what: about.get((what, language), about.get((what, ""), ""))}

    def _leave(self, given: Json) -> bool:
        chat = self.world.chat(given.get("chat_id"))
        if chat.kind == "private":
            raise bad("chat member status can't be changed in private chats")
        chat.alive = False
        return True

    # webhooks

    def _set_webhook(self, given: Json) -> bool:
        url, secret = str(given.get("url", "")), str(given.get("secret_token", ""))
        if not url:
            return self._delete_webhook(given)
        if not url.startswith("https://"):
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        if secret and not _SECRET.match(secret):
            raise bad("secret token contains unallowed characters")
        self.allow(given)
        self.world.hook = Hook(url, secret)
        self.world.arrived.set()
        return True

    def _delete_webhook(self, given: Json) -> bool:
        self.world.hook = None
        if given.get("drop_pending_updates") == "true":
            self.world.queue.clear()
        return True

    def _webhook_info(self, given: Json) -> Json:
        hook = self.world.hook
        return {
            "url": hook.url if hook else "",
            "has_custom_certificate": False,
            "pending_update_count": len(self.world.queue),
        }

    def allow(self, given: Json) -> None:
        """Remember which kinds of updates the bot wants."""
        asked = parsed("allowed_updates", given)
        if asked is None:
            return
        if set(asked) - KINDS:
            raise bad(f"unknown kinds of updates {sorted(set(asked) - KINDS)}")
        self.world.allowed = frozenset(asked) or DEFAULT_UPDATES


def _content(text: str, marks: list[Json], name: str = "text") -> Json:
    if not text:
        return {}
    return {name: text} | ({("entities" if name == "text" else "caption_entities"): marks} if marks else {})


def _markup(markup: Json | None) -> Json:
    return {"reply_markup": markup} if markup else {}


def _dumped(marks: object) -> str:
    return json.dumps(marks or [])


def _scoped(given: Json) -> tuple[str, str]:
    scope = parsed("scope", given) or {"type": "default"}
    language = str(given.get("language_code", ""))
    if language and not re.fullmatch(r"[a-z]{2}", language):
        raise bad("LANGUAGE_CODE_INVALID")
    return ":".join(str(scope[key]) for key in sorted(scope, reverse=True)), language
