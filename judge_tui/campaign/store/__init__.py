"""The only room with SQL. `campaign_file` makes and opens the file, `connection` reads and writes
it, `schema` has its tables, `event` says what holds of what judges did; each other module is one
noun. `desk` is what a judge may see.
"""
