"""Names of users, machines, domains and paths replaced in studies, so that a customer's data can be shown."""
