"""editahead in five steps. This is a copy: change what you like, and leave with :quit! when you are done."""

# 1. Ghost text. Go to the end of the last line of `remove`, type A, then Enter and
#    "self.quant" with the keyboard. Grey text goes on with it: {accept} takes it,
#    {accept_word} takes a word of it, {dismiss} turns it down. Typing on is fine as well.


class Inventory:
    def __init__(self):
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):
        self.check(name)


# 2. Next edits. Rename `check` to `verify` in the lines `first` and `second` (cw on the
#    name). The third place is marked: {edit_accept} jumps there, {edit_accept} again applies
#    it. {edit_reject} in normal mode turns it down, and it is not offered again for an hour.


def run(a, b, c):
    first = check(a)
    second = check(b)
    if first and second:
        return check(c)
    return None


# 3. All places at once. Undo the last change with u, and type :Editahead queue
#    The list has each place that is left: {apply} applies one, {apply_all} all that are
#    sure, {reject} turns one down.

# 4. Why, or why not. Put the cursor anywhere and type :Editahead explain
#    :checkhealth editahead examines the installation, :Editahead status says how things stand.

# 5. Less or more. `precision` is the target: of all that is shown, this share should be right.
#        require('editahead').setup({ server = { settings = { editahead = { precision = 0.9 } } } })
#    :Editahead snooze 10 is ten quiet minutes, :Editahead toggle ghost switches ghost text,
#    :help editahead has the rest.
